import { expect, test } from 'vitest';
import { edgeLines, factsOf, symbolLines } from './sources.ts';

const gin = `// Package gin is a framework.
package gin

import (
	"net/http"

	"github.com/x/gin/render"
	b "github.com/x/gin/binding"
)

const Version = "1"

// HandlerFunc handles.
type HandlerFunc func(*Context)

// Engine is the whole.
type Engine struct {
	RouterGroup
	pool  http.Handler
	trees, roots []string
}

type IRouter interface {
	Use(handlers ...HandlerFunc) *RouterGroup
	Handle(name string, h HandlerFunc)
}

func New() *Engine {
	engine := &Engine{}
	engine.Use(Logger)
	return engine
}

func Default() *Engine {
	e := New()
	e.run()
	e.Handle("GET", func(c *Context) { c.Render(render.JSON{}) })
	return e
}

func (e *Engine) run() error { b.Bind(e); return http.ListenAndServe("", nil) }
`;
const sources = {
  'go.mod': 'module github.com/x/gin\n\ngo 1.19\n',
  'gin.go': gin,
  'group.go':
    'package gin\n\ntype RouterGroup struct{ engine *Engine }\n\nfunc (g *RouterGroup) Use(m ...HandlerFunc) *RouterGroup { g.engine.run(); return g }\nfunc (g *RouterGroup) Handle(method string, h HandlerFunc) {}\n',
  'context.go':
    'package gin\n\nimport "github.com/x/gin/render"\n\ntype Context struct{ Writer http.ResponseWriter }\n\nfunc (c *Context) Render(r render.Render) { r.WriteTo(c.Writer) }\n\nfunc Logger(c *Context) {}\n',
  'render/render.go':
    'package render\n\nimport "net/http"\n\ntype Render interface {\n\tWriteTo(w http.ResponseWriter) error\n}\n',
  'render/json.go':
    'package render\n\nimport h "net/http"\n\ntype JSON struct{ Data any }\n\nfunc (r JSON) WriteTo(w h.ResponseWriter) error { return nil }\n\ntype Wrong struct{}\n\nfunc (r Wrong) WriteTo(n int) error { return nil }\n',
  'binding/binding.go': 'package binding\n\nfunc Bind(v any) {}\n',
};

test('PA3 a Go file gives its symbols; a method belongs to its receiver', async () => {
  expect(symbolLines(await factsOf('gin.go', gin))).toMatchInlineSnapshot(`
    "constant Version 11-11
    type HandlerFunc 14-14 "HandlerFunc handles."
    struct Engine 17-21 "Engine is the whole."
    field Engine.RouterGroup 18-18
    field Engine.pool 19-19
    field Engine.trees 20-20
    field Engine.roots 20-20
    interface IRouter 23-26
    method IRouter.Use 24-24
    method IRouter.Handle 25-25
    function New 28-32
    function Default 34-39
    method Engine.run 41-41"
  `);
});

test('RE11 Go: imports by go.mod, promoted methods of embedded types, interfaces implemented by shape, functions passed on', async () => {
  expect(await edgeLines(sources)).toMatchInlineSnapshot(`
    "calls context.go#Context.Render -> render/render.go#Render.WriteTo
    calls gin.go#Default -> context.go#Context.Render
    calls gin.go#Default -> gin.go#Engine.run 0.97
    calls gin.go#Default -> gin.go#New
    calls gin.go#Default -> group.go#RouterGroup.Handle 0.97
    calls gin.go#Engine.run -> binding/binding.go#Bind
    calls gin.go#New -> group.go#RouterGroup.Use
    calls group.go#RouterGroup.Use -> gin.go#Engine.run 0.97
    implements gin.go#Engine -> gin.go#IRouter 0.95
    implements group.go#RouterGroup -> gin.go#IRouter 0.95
    implements render/json.go#JSON -> render/render.go#Render 0.95
    imports context.go -> package:render
    imports gin.go -> external:net/http
    imports gin.go -> package:binding
    imports gin.go -> package:render
    imports render/json.go -> external:net/http
    imports render/render.go -> external:net/http
    inherits gin.go#Engine -> group.go#RouterGroup
    references context.go#Context.Render -> context.go#Context
    references context.go#Context.Render -> context.go#Context.Writer
    references context.go#Context.Render -> render/render.go#Render
    references context.go#Logger -> context.go#Context
    references gin.go#Default -> context.go#Context
    references gin.go#Default -> gin.go#Engine
    references gin.go#Default -> render/json.go#JSON
    references gin.go#Engine.run -> gin.go#Engine
    references gin.go#HandlerFunc -> context.go#Context
    references gin.go#IRouter -> gin.go#HandlerFunc
    references gin.go#IRouter -> group.go#RouterGroup
    references gin.go#New -> context.go#Logger
    references gin.go#New -> gin.go#Engine
    references group.go#RouterGroup -> gin.go#Engine
    references group.go#RouterGroup.Handle -> gin.go#HandlerFunc
    references group.go#RouterGroup.Handle -> group.go#RouterGroup
    references group.go#RouterGroup.Use -> gin.go#HandlerFunc
    references group.go#RouterGroup.Use -> group.go#RouterGroup
    references render/json.go#JSON.WriteTo -> render/json.go#JSON
    references render/json.go#Wrong.WriteTo -> render/json.go#Wrong"
  `);
});

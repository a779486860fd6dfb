import { expect, test } from 'vitest';
import { edgeLines, factsOf, symbolLines } from './sources.ts';

const rust = `//! The crate.
mod net;
pub mod store { pub fn open() { super::helper() } }
use crate::net::{Client as C, send};
use std::io::Read;

/// A job.
#[derive(Debug)]
pub struct Job { client: C, name: String }

pub trait Run { fn run(&self); }

impl Job {
    pub const LIMIT: usize = 3;
    pub fn new(client: C) -> Self { helper(); Self { client, name: String::new() } }
}

impl Run for Job {
    fn run(&self) { self.client.get(); send(&self.name); println!("{}", self.label()); store::open(); }
}

impl Job { fn label(&self) -> String { format!("x") } }

fn helper() {}

enum Kind { One, Two(Job) }

macro_rules! make { () => { helper() } }

fn main() { let job = Job::new(net::Client::connect()); job.run(); make!(); }
`;
const rustSources = {
  'Cargo.toml': '[package]\nname = "my-crate"\n',
  'src/main.rs': rust,
  'src/net.rs':
    'pub struct Client;\nimpl Client { pub fn connect() -> Self { Client } pub fn get(&self) {} }\npub fn send(x: &str) {}\n',
};

test('PA4 a Rust file gives its symbols; members of impl blocks belong to the type', async () => {
  expect(symbolLines(await factsOf('src/main.rs', rust))).toMatchInlineSnapshot(`
    "namespace store 3-3
    function store.open 3-3
    struct Job 9-9 "A job."
    field Job.client 9-9
    field Job.name 9-9
    trait Run 11-11
    method Run.run 11-11
    constant Job.LIMIT 14-14
    method Job.new 15-15
    method Job.run 19-19
    method Job.label 22-22
    function helper 24-24
    enum Kind 26-26
    enum-member Kind.One 26-26
    enum-member Kind.Two 26-26
    macro make! 28-28
    function main 30-30"
  `);
});

test('RE12 Rust: use trees, modules of their own files, methods, macros and what is called inside them', async () => {
  expect(await edgeLines(rustSources)).toMatchInlineSnapshot(`
    "calls src/main.rs#Job.new -> src/main.rs#helper
    calls src/main.rs#Job.run -> src/main.rs#Job.label
    calls src/main.rs#Job.run -> src/main.rs#store.open
    calls src/main.rs#Job.run -> src/net.rs#Client.get 0.97
    calls src/main.rs#Job.run -> src/net.rs#send
    calls src/main.rs#main -> src/main.rs#Job.new
    calls src/main.rs#main -> src/main.rs#Job.run 0.97
    calls src/main.rs#main -> src/main.rs#make!
    calls src/main.rs#main -> src/net.rs#Client.connect
    calls src/main.rs#store.open -> src/main.rs#helper
    implements src/main.rs#Job -> src/main.rs#Run
    imports src/main.rs -> external:std::io
    imports src/main.rs -> src/net.rs
    imports src/main.rs -> src/net.rs#Client
    imports src/main.rs -> src/net.rs#send
    references src/main.rs#Job -> src/net.rs#Client
    references src/main.rs#Job.new -> src/main.rs#Job
    references src/main.rs#Job.new -> src/net.rs#Client
    references src/main.rs#Job.run -> src/main.rs#Job.name
    references src/main.rs#Kind -> src/main.rs#Job
    references src/net.rs#Client.connect -> src/net.rs#Client"
  `);
});

const java = `package com.acme.web;

import com.acme.store.Store;
import static com.acme.store.Keys.make;
import org.slf4j.Logger;

/** Serves. */
@Path("/x")
public class Server extends Base implements Handler, AutoCloseable {
  private final Store store = new Store();
  static final int MAX = 3;

  public Server(int port) { super(port); }

  /** Handles one. */
  @Override
  public Reply handle(Request request) {
    Reply reply = store.find(make(request));
    reply.send();
    helper(this::close);
    return reply;
  }

  private void helper(Runnable r) { log(); }

  public void close() {}

  enum Mode { ON, OFF }
  record Pair(int a, Store b) {}
  interface Inner extends Handler {}
}
`;
const javaSources = {
  'src/com/acme/web/Server.java': java,
  'src/com/acme/web/Base.java':
    'package com.acme.web;\nabstract class Base { Base(int p) {} void log() {} }\ninterface Handler { Reply handle(Request r); }\nclass Request {}\n',
  'src/com/acme/web/Reply.java': 'package com.acme.web;\npublic class Reply { void send() {} }\n',
  'src/com/acme/store/Store.java':
    'package com.acme.store;\nimport com.acme.web.*;\npublic class Store { public Reply find(String k) { return null; } }\nclass Logger {}\n',
  'src/com/acme/store/Keys.java':
    'package com.acme.store;\npublic class Keys { public static String make(Object o) { return ""; } }\n',
};

test('PA5 a Java file gives its symbols with Javadoc', async () => {
  expect(symbolLines(await factsOf('Server.java', java))).toMatchInlineSnapshot(`
    "class Server 8-31 "Serves."
    field Server.store 10-10
    constant Server.MAX 11-11
    constructor Server.Server 13-13
    method Server.handle 16-22 "Handles one."
    method Server.helper 24-24
    method Server.close 26-26
    enum Server.Mode 28-28
    enum-member Server.Mode.ON 28-28
    enum-member Server.Mode.OFF 28-28
    class Server.Pair 29-29
    field Server.Pair.a 29-29
    field Server.Pair.b 29-29
    interface Server.Inner 30-30"
  `);
});

test('RE13 Java: packages, static imports, implicit this, inherited members', async () => {
  expect(await edgeLines(javaSources)).toMatchInlineSnapshot(`
    "calls src/com/acme/web/Server.java#Server.handle -> src/com/acme/store/Keys.java#Keys.make
    calls src/com/acme/web/Server.java#Server.handle -> src/com/acme/store/Store.java#Store.find 0.97
    calls src/com/acme/web/Server.java#Server.handle -> src/com/acme/web/Reply.java#Reply.send
    calls src/com/acme/web/Server.java#Server.handle -> src/com/acme/web/Server.java#Server.helper
    calls src/com/acme/web/Server.java#Server.helper -> src/com/acme/web/Base.java#Base.log
    calls src/com/acme/web/Server.java#Server.store -> src/com/acme/store/Store.java#Store
    implements src/com/acme/web/Server.java#Server -> src/com/acme/web/Base.java#Handler
    imports src/com/acme/store/Store.java -> package:com.acme.web
    imports src/com/acme/web/Server.java -> external:org.slf4j.Logger
    imports src/com/acme/web/Server.java -> src/com/acme/store/Keys.java
    imports src/com/acme/web/Server.java -> src/com/acme/store/Keys.java#Keys.make
    imports src/com/acme/web/Server.java -> src/com/acme/store/Store.java
    imports src/com/acme/web/Server.java -> src/com/acme/store/Store.java#Store
    inherits src/com/acme/web/Server.java#Server -> src/com/acme/web/Base.java#Base
    inherits src/com/acme/web/Server.java#Server.Inner -> src/com/acme/web/Base.java#Handler
    references src/com/acme/store/Store.java#Store.find -> src/com/acme/web/Reply.java#Reply 0.95
    references src/com/acme/web/Base.java#Handler.handle -> src/com/acme/web/Base.java#Request
    references src/com/acme/web/Base.java#Handler.handle -> src/com/acme/web/Reply.java#Reply
    references src/com/acme/web/Server.java#Server.handle -> src/com/acme/web/Base.java#Request
    references src/com/acme/web/Server.java#Server.handle -> src/com/acme/web/Reply.java#Reply
    references src/com/acme/web/Server.java#Server.handle -> src/com/acme/web/Server.java#Server.close"
  `);
});

const cpp = `#include "shape.h"
#include <vector>

#define AREA(x) ((x) * (x))

namespace geo {

// A circle.
class Circle : public Shape {
 public:
  explicit Circle(int r) : r_(r) { check(); }
  int area() const override { return AREA(r_); }
 private:
  void check();
  Ruler* ruler_;
  int r_;
};

void Circle::check() { ruler_->measure(); helper(1); }

enum class Color { Red, Green };

template <typename T>
T twice(T x) { return x; }

}  // namespace geo

static int helper(int x) { geo::Circle c(1); return c.area(); }
`;
const cSources = {
  'src/circle.cpp': cpp,
  'src/shape.h':
    'class Shape { public: virtual int area() const = 0; };\nstruct Ruler { void measure(); };\nint draw(int x);\n',
  'src/ruler.cpp': '#include "shape.h"\nvoid Ruler::measure() { draw(1); }\n',
  'src/draw.c':
    '#include "shape.h"\ntypedef struct point { int x; } point_t;\nstatic int clip(int x) { return x; }\nint draw(int x) { point_t p; int (*f)(int) = clip; return clip(p.x); }\n',
};

test('PA6 C and C++ files give their symbols; a definition outside its class belongs to it', async () => {
  expect(symbolLines(await factsOf('src/circle.cpp', cpp))).toMatchInlineSnapshot(`
    "macro AREA 4-4
    namespace geo 6-26
    class geo.Circle 9-17 "A circle."
    constructor geo.Circle.Circle 11-11
    method geo.Circle.area 12-12
    method geo.Circle.check 14-14
    field geo.Circle.ruler_ 15-15
    field geo.Circle.r_ 16-16
    method geo.Circle.check~2 19-19
    enum geo.Color 21-21
    enum-member geo.Color.Red 21-21
    enum-member geo.Color.Green 21-21
    function geo.twice 23-24
    function helper 28-28"
  `);
  expect(symbolLines(await factsOf('src/draw.c', cSources['src/draw.c']))).toMatchInlineSnapshot(`
    "struct point 2-2
    field point.x 2-2
    type point_t 2-2
    function clip 3-3
    function draw 4-4"
  `);
});

test('RE14 C and C++: includes, calls that reach the definition and not the prototype, bases', async () => {
  expect(await edgeLines(cSources)).toMatchInlineSnapshot(`
    "calls src/circle.cpp#geo.Circle.Circle -> src/circle.cpp#geo.Circle.check
    calls src/circle.cpp#geo.Circle.Circle -> src/circle.cpp#geo.Circle.check~2 0.95
    calls src/circle.cpp#geo.Circle.area -> src/circle.cpp#AREA
    calls src/circle.cpp#geo.Circle.check~2 -> src/circle.cpp#helper
    calls src/circle.cpp#geo.Circle.check~2 -> src/ruler.cpp#Ruler.measure 0.92
    calls src/circle.cpp#helper -> src/circle.cpp#geo.Circle.area
    calls src/draw.c#draw -> src/draw.c#clip
    calls src/ruler.cpp#Ruler.measure -> src/draw.c#draw 0.95
    imports src/circle.cpp -> external:vector
    imports src/circle.cpp -> src/shape.h
    imports src/draw.c -> src/shape.h
    imports src/ruler.cpp -> src/shape.h
    inherits src/circle.cpp#geo.Circle -> src/shape.h#Shape 0.95
    references src/circle.cpp#geo.Circle -> src/shape.h#Ruler 0.95
    references src/circle.cpp#geo.Circle.area -> src/circle.cpp#geo.Circle.r_
    references src/circle.cpp#helper -> src/circle.cpp#geo.Circle
    references src/draw.c#draw -> src/draw.c#point.x
    references src/draw.c#draw -> src/draw.c#point_t"
  `);
});

const csharp = `using System;
using Acme.Store;
using Log = Acme.Logging.Logger;

namespace Acme.Web;

/// <summary>Serves.</summary>
[Route("x")]
public class Server : Base, IHandler
{
    private readonly Repository repository = new Repository();
    public Repository Main { get; set; }
    public event Handler Changed;

    public Server(int port) : base(port) { }

    public async Task<Reply> Handle(Request request)
    {
        var reply = repository.Find(request);
        await reply.SendAsync();
        this.Main.Find(null);
        Helper();
        Changed += OnChanged;
        Log.Write();
        return reply;
    }

    private void Helper() => Console.WriteLine();
    private void OnChanged() { }
}

public enum Mode { On, Off }
public record Pair(int A);
`;
const csharpSources = {
  'Server.cs': csharp,
  'Base.cs':
    'namespace Acme.Web { public class Base { public Base(int p) {} } public interface IHandler {} public class Request {} public class Reply { public void SendAsync() {} } }\n',
  'Store.cs':
    'namespace Acme.Store { public class Repository { public Acme.Web.Reply Find(object o) { return null; } } }\n',
  'Log.cs': 'namespace Acme.Logging { public static class Logger { public static void Write() {} } }\n',
};

test('PA7 a C# file gives its symbols', async () => {
  expect(symbolLines(await factsOf('Server.cs', csharp))).toMatchInlineSnapshot(`
    "class Server 8-30 "<summary>Serves.</summary>"
    field Server.repository 11-11
    property Server.Main 12-12
    field Server.Changed 13-13
    constructor Server.Server 15-15
    method Server.Handle 17-26
    method Server.Helper 28-28
    method Server.OnChanged 29-29
    enum Mode 32-32
    enum-member Mode.On 32-32
    enum-member Mode.Off 32-32
    class Pair 33-33
    field Pair.A 33-33"
  `);
});

test('RE15 C#: namespaces, aliases, members without this, handlers added to events', async () => {
  expect(await edgeLines(csharpSources)).toMatchInlineSnapshot(`
    "calls Server.cs#Server.Handle -> Log.cs#Logger.Write
    calls Server.cs#Server.Handle -> Server.cs#Server.Helper
    calls Server.cs#Server.Handle -> Store.cs#Repository.Find 0.92
    calls Server.cs#Server.repository -> Store.cs#Repository 0.95
    implements Server.cs#Server -> Base.cs#IHandler
    imports Server.cs -> Log.cs
    imports Server.cs -> Log.cs#Logger
    imports Server.cs -> external:System
    imports Server.cs -> package:Acme.Store
    inherits Server.cs#Server -> Base.cs#Base
    references Server.cs#Server.Handle -> Base.cs#Reply
    references Server.cs#Server.Handle -> Base.cs#Request
    references Server.cs#Server.Handle -> Server.cs#Server.Changed
    references Server.cs#Server.Handle -> Server.cs#Server.OnChanged
    references Server.cs#Server.Main -> Store.cs#Repository 0.95"
  `);
});

const ruby = `require_relative 'store'

module Shop
  # An order.
  class Order < Base
    include Comparable
    include Tracked
    LIMIT = 3
    attr_reader :total
    before_save :check

    def initialize(store)
      @store = Store.new
    end

    def self.build(items)
      new(items).pay { |x| x.go }
    end

    def pay
      @store.put(LIMIT)
      check
      items.each(&method(:check))
    end

    private

    def check; end
  end
end
`;
const rubySources = {
  'lib/order.rb': ruby,
  'lib/store.rb':
    'module Shop\n  class Store\n    def put(x); end\n  end\n\n  class Base; end\n\n  module Tracked; end\nend\n',
};

test('PA8 a Ruby file gives its symbols', async () => {
  expect(symbolLines(await factsOf('lib/order.rb', ruby))).toMatchInlineSnapshot(`
    "namespace Shop 3-30
    class Shop.Order 5-29
    constant Shop.Order.LIMIT 8-8
    property Shop.Order.total 9-9
    method Shop.Order.initialize 12-14
    field Shop.Order.@store 13-13
    method Shop.Order.build 16-18
    method Shop.Order.pay 20-24
    method Shop.Order.check 28-28"
  `);
});

test('RE16 Ruby: constants of the module around, mixed-in modules, hooks named by a symbol', async () => {
  expect(await edgeLines(rubySources)).toMatchInlineSnapshot(`
    "calls lib/order.rb#Shop.Order.build -> lib/order.rb#Shop.Order
    calls lib/order.rb#Shop.Order.build -> lib/order.rb#Shop.Order.pay
    calls lib/order.rb#Shop.Order.initialize -> lib/store.rb#Shop.Store
    calls lib/order.rb#Shop.Order.pay -> lib/order.rb#Shop.Order.check
    calls lib/order.rb#Shop.Order.pay -> lib/store.rb#Shop.Store.put 0.97
    imports lib/order.rb -> lib/store.rb
    inherits lib/order.rb#Shop.Order -> lib/store.rb#Shop.Base
    inherits lib/order.rb#Shop.Order -> lib/store.rb#Shop.Tracked
    references lib/order.rb#Shop.Order -> lib/order.rb#Shop.Order.check
    references lib/order.rb#Shop.Order.pay -> lib/order.rb#Shop.Order.LIMIT"
  `);
});

const php = `<?php
namespace App\\Http;

use App\\Store\\{Repository, Key as K};
use Psr\\Log\\LoggerInterface;
require_once __DIR__ . '/helpers.php';

/** Serves. */
#[Route('/x')]
final class Server extends Base implements Handler
{
    use Tracks;
    public const MAX = 3;
    private Repository $repository;

    public function __construct(private K $key, Repository $repository)
    {
        $this->repository = $repository;
        parent::__construct();
    }

    public function handle(Request $request): Reply
    {
        $reply = $this->repository->find($this->key->value());
        $reply->send();
        self::log(self::MAX);
        helper();
        array_map([$this, 'each'], []);
        return $reply;
    }

    private static function log(int $x): void {}
    public function each($x) {}
}
`;
const phpSources = {
  'src/Http/Server.php': php,
  'src/Http/Base.php':
    '<?php\nnamespace App\\Http;\nabstract class Base { public function __construct() {} }\ninterface Handler {}\ntrait Tracks {}\nclass Reply { public function send() {} }\n',
  'src/Http/helpers.php': '<?php\nfunction helper() {}\n',
  'src/Store/Repository.php':
    '<?php\nnamespace App\\Store;\nuse App\\Http\\Reply;\nclass Repository { public function find($x): Reply { return new Reply(); } }\nclass Key { public function value() {} }\nclass LoggerInterface {}\n',
};

test('PA9 a PHP file gives its symbols', async () => {
  expect(symbolLines(await factsOf('src/Http/Server.php', php))).toMatchInlineSnapshot(`
    "class Server 9-34 "Serves."
    constant Server.MAX 13-13
    field Server.repository 14-14
    constructor Server.__construct 16-20
    field Server.key 16-16
    method Server.handle 22-30
    method Server.log 32-32
    method Server.each 33-33"
  `);
});

test('RE17 PHP: namespaces, grouped use, promoted fields, traits, callables written as pairs', async () => {
  expect(await edgeLines(phpSources)).toMatchInlineSnapshot(`
    "calls src/Http/Server.php#Server.__construct -> src/Http/Base.php#Base.__construct
    calls src/Http/Server.php#Server.handle -> src/Http/Base.php#Reply.send 0.97
    calls src/Http/Server.php#Server.handle -> src/Http/Server.php#Server.log
    calls src/Http/Server.php#Server.handle -> src/Http/helpers.php#helper 0.95
    calls src/Http/Server.php#Server.handle -> src/Store/Repository.php#Key.value 0.97
    calls src/Http/Server.php#Server.handle -> src/Store/Repository.php#Repository.find 0.97
    calls src/Store/Repository.php#Repository.find -> src/Http/Base.php#Reply
    implements src/Http/Server.php#Server -> src/Http/Base.php#Handler
    imports src/Http/Server.php -> external:Psr\\Log.LoggerInterface
    imports src/Http/Server.php -> src/Http/helpers.php
    imports src/Http/Server.php -> src/Store/Repository.php
    imports src/Http/Server.php -> src/Store/Repository.php#Key
    imports src/Http/Server.php -> src/Store/Repository.php#Repository
    imports src/Store/Repository.php -> src/Http/Base.php
    imports src/Store/Repository.php -> src/Http/Base.php#Reply
    inherits src/Http/Server.php#Server -> src/Http/Base.php#Base
    inherits src/Http/Server.php#Server -> src/Http/Base.php#Tracks
    references src/Http/Server.php#Server.__construct -> src/Http/Server.php#Server.repository
    references src/Http/Server.php#Server.__construct -> src/Store/Repository.php#Key
    references src/Http/Server.php#Server.__construct -> src/Store/Repository.php#Repository
    references src/Http/Server.php#Server.handle -> src/Http/Base.php#Reply
    references src/Http/Server.php#Server.handle -> src/Http/Server.php#Server.MAX
    references src/Http/Server.php#Server.handle -> src/Http/Server.php#Server.each
    references src/Http/Server.php#Server.handle -> src/Http/Server.php#Server.key
    references src/Http/Server.php#Server.handle -> src/Http/Server.php#Server.repository
    references src/Http/Server.php#Server.repository -> src/Store/Repository.php#Repository"
  `);
});

test('PA10 RE18 Bash: functions, sourced files, functions passed by name', async () => {
  const sources = {
    'bin/run.sh':
      '#!/usr/bin/env bash\nsource "$(dirname "$0")/../lib/log.sh"\n\nROOT=1\n\n# Cleans up.\ncleanup() { log done; }\n\ntrap cleanup EXIT\nfunction main { cleanup; ls; }\nmain "$@"\n',
    'lib/log.sh': 'log() { echo "$1"; }\n',
    tool: '#!/bin/sh\nhelper() { :; }\n',
  };
  expect(symbolLines(await factsOf('bin/run.sh', sources['bin/run.sh']))).toMatchInlineSnapshot(`
    "variable ROOT 4-4
    function cleanup 7-7 "Cleans up."
    function main 10-10"
  `);
  expect(symbolLines(await factsOf('tool', sources.tool))).toMatchInlineSnapshot(`"function helper 2-2"`);
  expect(await edgeLines(sources)).toMatchInlineSnapshot(`
    "calls bin/run.sh -> bin/run.sh#main
    calls bin/run.sh#cleanup -> lib/log.sh#log 0.95
    calls bin/run.sh#main -> bin/run.sh#cleanup
    imports bin/run.sh -> lib/log.sh
    references bin/run.sh -> bin/run.sh#cleanup"
  `);
});

/**
 * Words that a sentence is made of rather than about. They are kept in names (`all`, `on`, `get`) and nowhere else, and
 * dropped from a question unless nothing else is left of it.
 */

/** In prose. Fragments of contractions ("don't" gives don and t) are in the list. */
const prose = `
a an the this that these those some any each every all both either neither no not nor own same such more most much many
i me my mine myself we us our ours ourselves you your yours he him his she her hers it its itself they them their theirs
themselves one
am is are was were be been being do does did doing done have has had having can could may might must shall should will
would ought
and or but if then else than because as while until so though although since whether
at by for from in into of off on onto out over to under up down upon with within without about above across after
against along among around before behind below beside besides between beyond during through throughout toward towards
via per
what which who whom whose when where why how
again ever here there now just also too very quite rather really still yet
ll re ve don didn doesn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn mustn needn ain
`;

/** In code: so frequent in some language that they say nothing of the place. */
const code = 'self return def const let var func fn elif endif nil';

/** Only in questions: how one asks, not what for. */
const asking = `
please tell show explain describe find locate look know want need code file files function functions method methods
class happen happens happening actually exactly get gets got let lets go goes make makes made thing things place places
part responsible logic implementation implemented implements decide decides decided work works working
`;

function list(words: string): readonly string[] {
  return words.split(/\s+/).filter((word) => word !== '');
}

export const stopWords: ReadonlySet<string> = new Set([...list(prose), ...list(code)]);

export const askingWords: ReadonlySet<string> = new Set([...list(prose), ...list(asking)]);

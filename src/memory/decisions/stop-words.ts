/**
 * Words that a question is made of rather than about. They are dropped from a query, unless nothing else is left of
 * it; they are never dropped from a record. Fragments of contractions ("don't" gives don and t) are in the list.
 */
const words = `
a an the this that these those some any each every all both either neither no not nor only own same other such more
most few much many
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
it its itself they them their theirs themselves one
am is are was were be been being do does did doing done have has had having can could may might must shall should will
would ought let lets get gets got
and or but if then else than because as while until so though although since whether
at by for from in into of off on onto out over to under up down upon with within without about above across after
against along among around before behind below beneath beside besides between beyond during through throughout toward
towards via per
what which who whom whose when where why how
again ever here there now just also too very quite rather really still yet once
s t d m ll re ve don didn doesn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn mustn needn shan ain ma
please tell show give know want need
`;

export const stopWords: ReadonlySet<string> = new Set(words.split(/\s+/).filter((word) => word !== ''));

/**
 * Words that people say and words that programs are written in, of software in general: who asks about a folder is
 * looking for a directory. It was written from what the terms of the trade mean, for no question and no code base; an
 * evaluation decides what it may weigh.
 *
 * `a b > c d`: who says one of the left may mean one of the right. Without the mark each word may mean any other of the
 * line. A word of two (`hangup`) is found where a question has them side by side.
 */
import { stemOf } from './terms.ts';

const lines = `
folder directory dir > directory folder dir path
listing list enumerate > readdir list iterate entries
erase wipe delete remove drop discard > delete remove unlink drop clear erase purge
rubbish garbage junk trash > invalid malformed garbage corrupt bad
broken malformed invalid corrupt illegal bad mangled > invalid malformed error corrupt bad illegal
printout printed print > print output write stdout log
console terminal screen tty > console terminal tty stdout stderr
picture image photo > image
copy duplicate clone twin > copy clone duplicate dup
rename move relocate > rename move
store save keep persist remember retain hold > store save cache persist keep put
looked lookup find search locate seek > lookup find search get resolve query
remembered memoize memory cached cache > cache memo memoize cached store
forget evict expire stale outdated > evict expire ttl stale invalidate purge remove
lifetime lifespan life age > ttl expire age lifetime maxage
shorten trim truncate cut chop clip > truncate trim cut slice limit
squeeze shrink pack compress compact deflate zip > compress deflate gzip zip pack compact encode
unpack inflate decompress unzip expand > decompress inflate decode unpack unzip expand extract
encode serialise serialize marshal dump write > encode serialize marshal dump stringify format pickle
decode deserialise deserialize unmarshal load read > decode deserialize unmarshal load parse read unpickle
turn convert translate transform map cast coerce > convert transform translate map cast coerce
text string characters wording > string text str char
letter character umlaut accent glyph symbol > char character rune utf unicode codepoint
umlaut umlauts accents multibyte > utf utf8 unicode char boundary
octet octets byte bytes > byte bytes buf buffer octet
number figure digit amount > number int integer count num
fraction decimal > float decimal fraction
whole integer > int integer
chance random dice luck lottery > random rand jitter seed shuffle
jitter randomness > random jitter rand
hash fingerprint digest checksum > hash digest checksum crc sum fingerprint
identical same equal alike twin > equal same compare identical eq
compare differ difference > compare cmp diff equal less
bigger larger greater maximum most ceiling cap upper limit bound > max limit maximum cap bound ceiling threshold
smaller lower least minimum floor > min minimum least low
limit cap restrict quota ration ceiling > limit max quota cap restrict bound
gigantic huge enormous oversized giant large long big > large max limit size big huge long overflow
tiny small short little > small short min
empty blank nothing nobody void > empty null none nil blank
missing absent lacking > missing absent notfound undefined none
overflow wrap wraparound exceed > overflow wrap wraparound exceed
tally counter count total > count counter total num sum refcount
average mean > average mean avg
guess estimate approximate > estimate guess approximate heuristic
round rounding > round ceil floor truncate
order ordering sequence sort ranked arrange > sort order compare sequence priority
reverse backwards > reverse backward
first earliest initial > first initial head start
last latest final newest > last latest final tail end
gather collect accumulate assemble > collect gather accumulate aggregate append
split divide separate tear chop > split divide partition separate chunk
join merge combine glue unite stitch > merge join combine concat concatenate
group bundle batch lump > batch group bulk chunk bundle
filter sift select pick choose > filter select choose pick match
match pattern wildcard > match pattern glob regex regexp wildcard
replace substitute swap exchange > replace substitute swap sub exchange
queue backlog waiting pending line > queue backlog pending wait buffer
pile stack heap > stack heap
table map dictionary > map table dict hash dictionary
set collection container > set list collection container
tree hierarchy nested > tree node child parent nested
edge border boundary limit > boundary edge border
gap hole > gap hole missing
duplicate repeated twice again double > duplicate dup unique dedupe distinct repeat
unique distinct once > unique distinct once
attribute property field trait > attr attribute property field param
parameter option argument knob setting > option param parameter argument arg config setting flag
setting configuration preference knob tunable > config setting option configuration prefs default
default fallback outofthebox preset > default fallback initial preset
environment outside operator administrator > env environ environment config getenv
manifest release version edition > version release manifest package
build compile > build compile generate
generate produce create make construct > create generate new make build construct factory
manufacture factory > factory create new
begin start launch boot spawn bring open > start launch spawn begin init open run boot
launch relaunch restart again > restart start respawn relaunch spawn
end stop finish quit terminate halt die kill exit > stop terminate exit close end finish kill quit shutdown abort
shutdown teardown shut stop > shutdown close stop terminate drain
hangup hang close disconnect drop goodbye > close disconnect abort lose shutdown destroy hangup
leave leaves goes away vanish disappear gone abandon > disconnect close lost abort cancel leave end
cancel abort revoke withdraw interrupt giveup > cancel abort clear unsubscribe revoke interrupt
pause suspend freeze stall hold > pause suspend block wait hold
resume continue proceed > resume continue next
postpone delay defer later linger wait > delay defer later timeout schedule sleep wait lazy
wait sleep idle rest > wait sleep idle park poll
deadline timeout giveup patience > timeout deadline expire
elapsed duration long seconds interval period > duration interval timeout time period elapsed seconds
clock time watch moment instant > clock time now timer instant
fake pretend simulated mock artificial virtual > mock fake virtual test stub simulate
emulate imitate polyfill > emulate polyfill shim compat
schedule plan due appointment > schedule scheduler due timer task cron
job work task chore errand > task job work worker
worker helper minion > worker thread pool
turn tick iteration lap round > tick iteration loop turn
loop cycle mainloop > loop poll reactor run cycle
simultaneous parallel concurrent together > concurrent parallel lock sync async
lock guard exclusive latch mutex > lock mutex guard latch exclusive
share shared common > shared share common
race conflict collide clash > conflict race collision
blocking blocks stuck stall hang freeze > block blocking wait deadlock stall
nonblocking async background > async nonblock background spawn deferred
signal notify wake alert tell inform > notify signal wake emit notification
listener subscriber observer hook callback handler > callback listener observer handler subscribe hook subscriber
announce publish broadcast emit > emit publish notify broadcast announce
subscribe follow watch observe monitor > subscribe watch observe monitor listen
event happening occurrence > event
error failure fault problem mistake trouble > error err fail failure exception fault
exception throws thrown raise crash > throw exception error raise panic
crash panic blowup die > panic crash abort fatal
uncaught unhandled swallowed > unhandled uncaught error
complain warn warning grumble > warn warning log
retry again reattempt another > retry attempt backoff again reconnect
backoff slower increasingly > backoff delay retry exponential
recover heal repair mend restore > recover restore repair fallback reset
undo rollback revert > rollback undo revert reset restore
safety safeguard protect guard defend prevent > guard protect check limit safe prevent
refuse reject deny decline forbid turnaway > reject refuse deny forbid error disallow
permit allow grant let authorise authorize > allow permit grant authorize permission
permission right privilege access role > permission role access privilege acl rbac auth
login signin logon sign > login auth authenticate signin session credential
password secret credential passphrase > password secret credential key auth token
identity identify who whoami > identity id auth user name
stranger attacker hostile malicious compromised evil enemy > attack malicious untrusted security unsafe limit
secret confidential sensitive withhold hide conceal > secret sensitive hide redact private strip
encrypt scramble cipher > encrypt cipher crypt
decrypt unscramble > decrypt cipher
trust certificate authority chain > certificate cert trust verify x509 ca
handshake greeting introduce negotiate > handshake hello negotiate greeting
verify validate check prove test vet inspect > validate verify check assert test valid
schema shape declared > schema validate type shape
visitor customer browser caller user > client user request peer agent
caller client requester > client caller request
counterpart peer remote otherside partner > peer remote
website site page web > http url host web site
web http internet > http web url
request ask call query > request req call query
answer reply response respond > response reply res answer respond
incoming inbound arriving arrives > incoming receive request read inbound accept
outgoing outbound leaving > outgoing send write outbound
send transmit ship deliver post dispatch > send write transmit deliver dispatch post
receive accept take get arrive > receive recv accept read get
forward relay pass proxy forwarding > forward relay proxy redirect pass
redirect forwarding elsewhere sent > redirect location forward
hop hops > hop redirect ttl
address location destination target > address addr url host endpoint target
hostname machine host box server > host server hostname node
nameserver resolver dns namelookup > dns resolver nameserver resolve resolv
domain zone > domain zone dns
connection link session line > connection conn session link socket
connect dial attach reach contact call > connect dial attach open
socket plug port > socket port listen
port door > port
idle inactive quiet unused > idle keepalive inactive unused
keepalive heartbeat ping alive pulse > keepalive heartbeat ping alive probe
dead gone lost broken down > dead lost disconnect closed failed
packet datagram frame message parcel > packet frame message datagram
wire network cable > wire network net socket protocol transport
protocol format language > protocol format codec
header heading envelope > header head
body payload content > body payload content data
mime mediatype contenttype > mime contenttype content type
upload posted submitted form > upload multipart form post body
download fetch pull get > download fetch get
attachment file > file attachment
cookie session > cookie session
path route address > path route url
route routing dispatch > route router dispatch handler match
throttle rate slow pace choke > throttle rate limit backpressure bucket
flow pressure backpressure slow fast > backpressure flow pause drain highwatermark window
fair share fairness starve > fair fairness queue priority round robin token bucket
noisy flood overload storm burst > flood rate limit overload burst
balance spread distribute > balance distribute spread hash
bandwidth throughput speed > rate bandwidth speed throughput
quick fast speed > fast quick speed optimize cache
stream pipe shovel pump flow > stream pipe copy pump producer consumer relay
pipe tube chain > pipe chain
chunk piece part portion slice > chunk part slice segment fragment
buffer hold > buffer buf queue
flush empty drain > flush drain sync
memory ram heap > memory mem alloc heap buffer
allocate reserve claim > alloc allocate reserve
leak lose forget > leak free release
free release giveback dispose > free release close dispose drop
pointer reference handle > ref pointer handle reference ptr arc
owner belongs own > owner own belong
pool reuse recycle > pool reuse recycle cache free
disk drive storage disc > disk file fs storage
durable crashsafe survive > fsync sync durable flush journal
atomic allornothing > atomic transaction rename lock
journal record ledger history > log journal history record wal
snapshot checkpoint backup > snapshot checkpoint backup
log journal diary report note > log logger record report
gravity grave severity importance > level severity critical priority
level verbosity loudness > level verbose severity
measure metric statistic figures > metric stat measure counter gauge
trace track follow > trace track span follow
debug inspect diagnose > debug inspect trace dump diagnose
record row entry line > record row entry
database store > database db store sql
column field > column field
transaction commit > transaction commit tx rollback
index catalogue > index
migrate upgrade > migrate upgrade version
elect leader chosen vote > elect leader vote raft leadership
leader master primary chief > leader master primary
follower replica standby secondary slave > replica follower secondary slave standby
cluster fleet group > cluster node group
agree consensus > consensus raft quorum commit
switch bridge > switch bridge
controller boss > controller
rule policy > rule policy
screen escape sanitise sanitize clean > escape sanitize quote clean
quote escape > quote escape
parse read understand interpret > parse parser read scan decode token
grammar syntax > syntax grammar parse token
token word lexeme > token lexer
template placeholder > template format render placeholder
render draw paint display show > render draw print display view
indent pretty layout > indent pretty format
plugin extension addon module > plugin extension module register addon
register enrol signup declare > register add subscribe declare
inject provide supply > inject provide dependency
wrap decorate surround > wrap decorate wrapper
inherit descend child > inherit extend parent child base
override replace overrule > override replace
deprecated obsolete old legacy oldstyle > deprecate legacy old obsolete compat
newstyle modern > new v6 ipv6 modern
ipv4 oldstyle v4 > ipv4 v4 a inet
ipv6 newstyle v6 > ipv6 v6 aaaa inet6
compatible backward > compat compatible legacy
platform system os operatingsystem > os platform unix windows linux
program process binary executable application app > process program app exec command
child subprocess > child process spawn fork
command order instruction > command cmd exec instruction
supervise babysit watchdog oversee > monitor supervise watch
signal interrupt ctrl > signal sigint interrupt handler
lifecycle phase stage state > state phase lifecycle status stage
status condition state > status state
switch toggle enable flag > enable disable flag toggle option
disable deactivate off > disable off
optional maybe > optional option maybe none
mandatory required must > required must mandatory
once single onetime > once single
nested recursive inside > nested recursive depth
depth deep > depth level recursion
graph network > graph node edge
neighbour adjacent > neighbor adjacent
route way > path route
calendar date day > date day time calendar
zone timezone > timezone zone tz utc
language locale tongue > locale language lang i18n
translate localise > translate i18n locale gettext
money price > price amount currency
mail email letter > mail email smtp message
spam junk > spam
archive bundle tarball > archive tar zip
thread fibre strand > thread goroutine task fiber
coroutine generator > coroutine generator async yield
promise future deferred eventually > promise future deferred async await
observable reactive > observable subscribe stream
constant fixed hardcoded > const constant default
revision generation serial > version revision serial generation
counter serial sequence > serial counter sequence id
stamp timestamp > timestamp time date
regularexpression regularexpressions > regex regexp pattern
wildcard catchall star > wildcard glob catchall any
casesensitive caseinsensitive > case fold lower ignorecase insensitive
capital capitals uppercase > upper uppercase case
lowercase > lower lowercase case
lineending linebreak newline newlines > newline crlf eol lf terminator
linenumber linenumbers > line number lineno
surrounding > context before after
invert negate negated opposite > negate invert not
charset encoding > charset encoding utf decode
byteordermark > bom
memorymap memorymapped > mmap
symlink symboliclink shortcut > symlink link follow
dotfile hidden > hidden dotfile
exclude leftout skipped passedover > exclude ignore skip
include included > include whitelist
descend walk crawl > walk recursive visit traverse
kilobyte megabyte gigabyte kilobytes megabytes gigabytes humanreadable > size human suffix bytes
temporary scratch > temp tmp
commandline > cli argv args command flag
environmentvariable environmentvariables > env environ getenv
highlight coloured colored > color style ansi
replacement > replace interpolate substitute
capturing captured > capture group
injection inject injected > escape quote sanitize param
forgery forged crosssite > csrf xsrf origin token
crossorigin otherorigin foreignorigin > cors origin
preflight > cors preflight options
tamper tampered tampering forge > sign signature hmac verify
signed > sign signature signer verify
publickey publickeys > jwk jwks key
timingattack constanttime > constant compare equal safe
bruteforce > throttle limit attempt
clickjacking framing framed iframe > frame clickjacking xframe
unauthorized unauthorised > unauthorized 401 auth
forbidden > forbidden 403 permission
notfound > notfound 404
unchanged revalidate notmodified > etag modified 304 ifnonematch
gzipped compressed > gzip compress encoding
loadbalancer behind > forwarded proxy trusted
clientip remoteaddress > remoteaddr ip forwarded addr
subnet netmask > cidr subnet mask prefix
mounted mount > mount prefix base
subapplication subapp > mount group route
placeholder urlparameter pathparameter > param segment capture
querystring > query querystring search
trailingslash > slash redirect
contenttype mediatype > contenttype mime accept
negotiate negotiation accepts > accept negotiate offer quality
serversent eventstream livefeed > sse eventstream stream
stylesheet stylesheets styles > css style
asset assets > static asset media
markup > html markup escape
webpage > html page
formfield formfields > field form
hiddenfield > input hidden form
nestedobject > dot nest path
pagination paginated pagebypage > paginate paginator page offset limit
relation relationship related > related relation foreignkey join
foreignkey foreignkeys > foreignkey fk related
manytomany > m2m manytomany through
cascade cascading > cascade delete collector
eager prefetch preload prefetched > prefetch preload eager selectrelated
lazily > lazy defer proxy
nestedtransaction > savepoint atomic
alter > alter schema migrate
aggregate total > aggregate annotate sum count
slug urlfriendly > slug slugify
hashing hasher hashed > hash hasher salt digest
anonymous guest > anonymous unauthenticated
forgotten forgot > reset recover token
superuser administrator > admin superuser staff
flashmessage > message flash
daysago ago > timesince naturaltime relative
naive aware > timezone aware naive utc
feed rss > feed syndication atom rss
startup > setup init ready start boot
discover discovered discovery > autodiscover discover registry find load
reload livereload changedfile > reload autoreload watch
restarted restart > reload
garbagecollected vanishes > weakref gc collect
receiver receivers > receiver signal handler connect
stacktrace backtrace > stack traceback trace frame
panics panicked > recover panic
abort remaining > abort next skip
chained chain onion > chain compose next middleware
uniqueid identifier > id uuid unique
compile compiled > compile regex build
typed types annotation > type hint annotation
binding bound bind > bind form map
struct record > struct field tag
fills filled populate populated > bind set map populate
required mandatory > required validate
elapsed took > duration elapsed latency time
verbose quiet silent > verbose quiet level silent
separator delimiter > separator delimiter sep
`;

/** How programs shorten words; each is found for the other. */
const shortened = `
address addr
application app
argument arg
array arr
attribute attr
authentication auth
authorization auth
background bg
buffer buf
calculate calc
channel chan
character char
certificate cert
command cmd
compare cmp
compute calc
configuration config cfg conf
connection conn
context ctx
control ctl ctrl
copy cp
current cur
database db
debug dbg
decrement dec
delete del
descriptor desc fd
destination dst dest
development dev
dictionary dict
difference diff
directory dir
document doc
duration dur
element elem
environment env
error err
event evt
exception exc
execute exec
expression expr
extension ext
function func fn
generate gen
global glob
hexadecimal hex
identifier id ident
image img
implementation impl
increment inc incr
index idx
information info
initialize init
initialization init
initial init
instance inst
integer int
internal int
iterator iter
interface iface
keyboard kbd
language lang
length len
library lib
list ls
location loc
manager mgr
maximum max
memory mem
message msg
metadata meta
middleware mw
minimum min
module mod
multiple multi
mutable mut
navigation nav
network net
notification notif
number num
object obj
operation op
option opt
original orig
package pkg
parameter param
password passwd pwd
pointer ptr
position pos
previous prev
private priv
process proc
processor proc
property prop
protocol proto
random rand
receive recv
record rec
reference ref
register reg
regular regex
regexp regex
remove rm
repository repo
request req
resource res
response res resp
result res
second sec
secure sec
select sel
sequence seq
server srv
service svc
session sess
shared shm
signal sig
source src
specification spec
standard std
statement stmt
statistics stats
string str
structure struct
subscription sub
synchronize sync
synchronous sync
asynchronous async
system sys
table tbl
temporary temp tmp
timestamp ts
token tok
transaction txn tx
transmit tx
translation i18n
unicode utf
upstream up
utility util
value val
variable var
vector vec
version ver
window win
workspace ws
websocket ws
worker wk
`;

/** What the word may mean that a term is the stem of: other terms with the words they were written as. */
export const thesaurus = {
  get: (term: string): ReadonlyMap<string, string> | undefined => meaningsOfLetter(term.slice(0, 1)).get(term),
};

type Meanings = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** By the first letter, which a word shares with its stem: finding all stems takes longer than the rest of a question. */
const byLetter = new Map<string, Meanings>();
let entries: readonly { readonly said: readonly string[]; readonly meant: readonly string[] }[] | null = null;

function meaningsOfLetter(letter: string): Meanings {
  const known = byLetter.get(letter);
  if (known !== undefined) return known;
  const meanings = new Map<string, Map<string, string>>();
  entries ??= read();
  for (const { said, meant } of entries) {
    for (const word of said) {
      if (!word.startsWith(letter)) continue;
      const term = stemOf(word);
      const others = meanings.get(term) ?? new Map<string, string>();
      for (const other of meant) {
        const stem = stemOf(other);
        if (stem !== term) others.set(stem, other);
      }
      meanings.set(term, others);
    }
  }
  // A letter that no word begins with may be any sign of any script: it is not worth being remembered.
  if (meanings.size > 0) byLetter.set(letter, meanings);
  return meanings;
}

function read(): readonly { readonly said: readonly string[]; readonly meant: readonly string[] }[] {
  return `${lines}${shortened}`
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [left = '', right = left] = line.split(' > ');
      return { said: left.split(' '), meant: right.split(' ') };
    });
}

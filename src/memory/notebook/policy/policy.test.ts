/** The samples are made up to have the shape and nothing else; parts are joined so that no scanner takes them for real. */
import { describe, expect, test } from 'vitest';
import type { RefusalReason } from '../outcome.ts';
import { contentRefusalMessage, detectors, inspectContent } from './policy.ts';

/** Which detectors see something, by name. */
function seenBy(text: string): string[] {
  return detectors.filter((detector) => detector.matches(text)).map((detector) => detector.name);
}

const a = (count: number): string => 'a'.repeat(count);
const dashes = '-'.repeat(5);

interface Samples {
  readonly rule: string;
  readonly reason: RefusalReason;
  readonly hits: readonly string[];
  readonly misses: readonly string[];
}

const samples: Readonly<Record<string, Samples>> = {
  'private key block': {
    rule: 'NP1',
    reason: 'private_key_shape',
    hits: [
      `${dashes}BEGIN PRIVATE KEY${dashes}`,
      `${dashes}BEGIN RSA PRIVATE KEY${dashes}`,
      `${dashes}BEGIN EC PRIVATE KEY${dashes}`,
      `${dashes}BEGIN DSA PRIVATE KEY${dashes}`,
      `text before ${dashes}BEGIN OPENSSH PRIVATE KEY${dashes} text`,
      `${dashes}BEGIN PGP PRIVATE KEY BLOCK${dashes}`,
      `-${dashes}BEGIN PRIVATE KEY${dashes}-`,
    ],
    misses: [
      `${dashes}BEGIN PUBLIC KEY${dashes}`,
      `${dashes}BEGIN CERTIFICATE${dashes}`,
      `${dashes}BEGIN ENCRYPTED PRIVATE KEY${dashes}`,
      `${dashes}BEGIN PGP PRIVATE KEY${dashes}`,
      `${dashes}BEGIN PRIVATE KEY BLOCK${dashes}`,
      `${dashes}END RSA PRIVATE KEY${dashes}`,
      `${dashes}begin private key${dashes}`,
      `${dashes}BEGIN RSA  PRIVATE KEY${dashes}`,
      `----BEGIN PRIVATE KEY${dashes}`,
      `${dashes}BEGIN PRIVATE KEY----`,
    ],
  },
  'cloud access key id': {
    rule: 'NP2',
    reason: 'credential_shape',
    hits: [`AKIA${'A'.repeat(16)}`, `ASIA${'0'.repeat(16)}`, `xAKIA${'A'.repeat(16)}x`, `_AKIA${'A1'.repeat(8)}é`],
    misses: [
      `AKIA${'A'.repeat(15)}`,
      `AKIA${'A'.repeat(17)}`,
      `XAKIA${'A'.repeat(16)}`,
      `0AKIA${'A'.repeat(16)}`,
      `ABIA${'A'.repeat(16)}`,
      `akia${'A'.repeat(16)}`,
      `AKIA${a(16)}`,
    ],
  },
  'code host token': {
    rule: 'NP3',
    reason: 'credential_shape',
    hits: [
      ...['p', 'o', 'u', 's', 'r'].map((letter) => `gh${letter}_${a(20)}`),
      `github_pat_${a(11)}_${a(8)}`,
      `-ghp_${a(36)}-`,
      `éghp_${a(20)}é`,
    ],
    misses: [
      `ghp_${a(19)}`,
      `ghx_${a(20)}`,
      `xghp_${a(30)}`,
      `_ghp_${a(20)}`,
      `ghp_${a(20)}_`,
      `github_pat_${a(19)}`,
      `GHP_${a(20)}`,
    ],
  },
  'chat token': {
    rule: 'NP4',
    reason: 'credential_shape',
    hits: [...['b', 'a', 'p', 'r', 's'].map((letter) => `xox${letter}-${a(10)}`), 'xoxb----------1', `_xoxb-${a(10)}`],
    misses: [`xoxb-${a(9)}`, `xoxz-${a(20)}`, `-xoxb-${a(10)}`, `yxoxb-${a(10)}`, `xoxb_${a(10)}`],
  },
  'live payment key': {
    rule: 'NP5',
    reason: 'credential_shape',
    hits: [`sk_live_${a(16)}`, `rk_live_${a(24)}`, `-sk_live_${a(16)}_`],
    misses: [`sk_live_${a(15)}`, `sk_test_${a(16)}`, `pk_live_${a(16)}`, `xsk_live_${a(16)}`, `_sk_live_${a(16)}`],
  },
  'cloud api key': {
    rule: 'NP6',
    reason: 'credential_shape',
    hits: [`AIza${a(35)}`, `AIza${'_-'.repeat(17)}0`, `.AIza${a(35)}.`],
    misses: [`AIza${a(34)}`, `AIza${a(36)}`, `-AIza${a(35)}`, `_AIza${a(35)}`, `AIza${a(35)}-`, `aiza${a(35)}`],
  },
  'model api key': {
    rule: 'NP7',
    reason: 'credential_shape',
    hits: [`sk-${a(20)}`, `.sk-proj-${a(20)}`, `sk-${'_-'.repeat(10)}`],
    misses: [`sk-${a(19)}`, `task-${a(30)}`, `-sk-${a(20)}`, `_sk-${a(20)}`, `SK-${a(20)}`],
  },
  'authorization header': {
    rule: 'NP8',
    reason: 'credential_shape',
    hits: [
      'Authorization: Bearer x',
      'AUTHORIZATION:basic x',
      'Proxy-Authorization: Basic dXNlcg',
      'authorization \n:\u2003 bearer\u001c x',
      'authorization: ba\u017fic x',
      'author\u0130zat\u0131on: bearer x',
    ],
    misses: [
      'myauthorization: bearer abcdef',
      '_authorization: bearer abcdef',
      'éauthorization: bearer abcdef',
      'Bearer abcdefghijklmnop',
      'authorization: bearer',
      'authorization: bearer \u0085',
      'authorization: bearerx',
      'authorization: digest x',
      'authorization = bearer x',
      'authorizations: bearer x',
      'authorization:\ufeffbearer x',
    ],
  },
  'credential assignment': {
    rule: 'NP9',
    reason: 'credential_shape',
    hits: [
      'password: abcd',
      'PASSWD=abcd',
      'PWD = abcd',
      'a secret:\n\n😀😀😀😀',
      'ApiKey=abcd',
      'api-key=abcd',
      'access_token: abcd',
      'Refresh-Token: abcd',
      'clientSecret=abcd',
      'my-password:=abc',
      'api_\u212aey=abcd',
      'pa\u017f\u017fword=abcd',
    ],
    misses: [
      'password: no',
      'pwd=abc',
      'pwd=😀😀😀',
      'passwords: abcdef',
      'xsecret=abcdef',
      'my_password: abcdef',
      '٣password: abcdef',
      'the password is abcdef',
      'api key: abcdef',
      'access\u00a0token=abcdef',
      'api__key=abcdef',
      'key=abcdef',
      'token=abcdef',
      'private_key=abcdef',
      'password: abc def',
    ],
  },
  'url with password': {
    rule: 'NP10',
    reason: 'credential_shape',
    hits: [
      'see (https://alice:s3cr3t@h) now',
      'a://u:p@',
      'POSTGRES+ssl://u:p:q@db',
      '1.x://u:p@h',
      'http://a/https://u:é@h',
      'x://é:\ufeff@h',
    ],
    misses: [
      'postgresql://localhost/db',
      'ssh://git@host/x',
      'http://localhost:8000/mcp',
      'mailto:a@b',
      'https://u:a/b@host',
      'https://u:a b@host',
      'https://u:a\u0085b@host',
      'https://:p@host',
      'https://u:@host',
      '1://u:p@h',
      '_http://u:p@h',
      'éhttp://u:p@h',
      'http:/u:p@h',
    ],
  },
  'compact token': {
    rule: 'NP11',
    reason: 'compact_token_shape',
    hits: [
      'eyJhbGciOiJub25lIn0.c3ludGhldGlj.c2lnbmF0dXJl',
      'eyJ12345678.b.c',
      '.eyJ_-_-_-_-.b.c.d',
      'éeyJ12345678.-._',
    ],
    misses: [
      '0.1.3',
      '2026.07.23',
      'a.b.c',
      'file.tar.gz',
      'www.example.com',
      'https://docs.example.org/a.b.c',
      'github.com/a/b.v2.x',
      'eyJ1234567.b.c',
      'eyJ12345678.b',
      'eyJ12345678.b.',
      'eyJ12345678..b.c',
      'xeyJ12345678.b.c',
      '-eyJ12345678.b.c',
      'EYJ12345678.b.c',
    ],
  },
  'government identifier': {
    rule: 'NP12',
    reason: 'government_identifier_shape',
    hits: ['123-45-6789', 'a123-45-6789b', '-123-45-6789-', '١٢٣-٤٥-٦٧٨٩', '000-00-0000'],
    misses: [
      '123456789',
      '555-123-4567',
      '2026-07-20',
      '1123-45-6789',
      '123-45-67890',
      '٣123-45-6789',
      '123 45 6789',
      '123–45–6789',
    ],
  },
  'payment card': {
    rule: 'NP13',
    reason: 'payment_card_shape',
    hits: [
      '4242424242424242',
      '4242 4242 4242 4242',
      '4242-4242-4242-4242',
      '378282246310005',
      '0000000000000',
      '0'.repeat(19),
      'x4242424242424242x',
      '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
      '𝟒𝟐𝟜𝟚𝟦𝟤𝟰𝟮𝟺𝟸42424２',
      '4 2 4 2 4 2 4 2-4 2 4 2 4 2 4 2',
      '4242424242424241, 4242424242424242',
    ],
    misses: [
      '4242424242424241',
      '0'.repeat(12),
      '0'.repeat(20),
      '42424242424242424242',
      '4242  4242  4242  4242',
      '4242.4242.4242.4242',
      '123456789',
      '4242 4242 4242 4242 1',
      '12 4242 4242 4242 4242',
    ],
  },
};

describe('the thirteen shapes', () => {
  test('NP14 there are thirteen detectors, each with samples, in this order', () => {
    expect(detectors.map((detector) => detector.name)).toEqual(Object.keys(samples));
    expect(detectors).toHaveLength(13);
  });

  for (const [name, { rule, reason, hits, misses }] of Object.entries(samples)) {
    test(`${rule} ${name} is refused as ${reason}`, () => {
      for (const text of hits) {
        expect(seenBy(text), text).toContain(name);
        expect(inspectContent([{ field: 'content', text }]), text).toEqual({ field: 'content', reason });
      }
    });

    test(`${rule} what only resembles a ${name} passes`, () => {
      for (const text of misses) {
        expect(seenBy(text), text).not.toContain(name);
        expect(inspectContent([{ field: 'content', text }]), text).toBeUndefined();
      }
    });
  }
});

describe('the inspection', () => {
  const card = '4242424242424242';
  const token = `sk-${a(20)}`;

  test('NP14 the first field with a hit wins, and within it the first detector', () => {
    const fields = [
      { field: 'title', text: 'fine' },
      { field: 'content', text: `${card} ${token}` },
      { field: 'tags', text: `${dashes}BEGIN PRIVATE KEY${dashes}` },
    ];
    expect(inspectContent(fields)).toEqual({ field: 'content', reason: 'credential_shape' });
    expect(inspectContent([...fields].reverse())).toEqual({ field: 'tags', reason: 'private_key_shape' });
  });

  test('NP14 nothing to inspect and nothing found are no refusal, and asking twice gives the same answer', () => {
    expect(inspectContent([])).toBeUndefined();
    expect(inspectContent([{ field: 'content', text: '' }])).toBeUndefined();
    for (let round = 0; round < 2; round += 1) {
      expect(inspectContent([{ field: 'content', text: card }])).toEqual({
        field: 'content',
        reason: 'payment_card_shape',
      });
    }
  });

  test('NP16 the message of a refusal is fixed', () => {
    expect(contentRefusalMessage).toBe(
      'memory field resembles content that Mnemosyne does not store; review the named field and retry only if the user confirms that the formatting is benign',
    );
  });
});

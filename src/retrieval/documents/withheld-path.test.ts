import { expect, test } from 'vitest';
import { withheldReason } from './withheld-path.ts';

test('DO28: names that people and tools give to keys, passwords and their copies are withheld, in any case', () => {
  const names = [
    ...['.env', '.env~', '.env.local', '.env.production~', '.envrc', 'prod.env', '.ENV.Local', '.env.'],
    ...['id_rsa', 'id_rsa.bak', 'id_rsa_work', 'id_ed25519~', 'id_rsa.pub.old'],
    ...['credentials', 'credentials.json', 'Credentials.md', 'credentials-old.txt', 'secrets.yml', 'secrets.yaml'],
    ...['secrets.json', 'service-account.json', 'service-account-prod.json', 'service_account.json', 'token', 'TOKEN'],
    ...['a.pem', 'b.key', '.netrc'],
  ];
  for (const name of names) {
    expect([name, withheldReason(name), withheldReason(`docs/${name}`)]).toEqual([name, 'secret', 'secret']);
  }
});

test('DO28: templates, public keys and documents about secrets are ordinary files', () => {
  const names = [
    ...['.env.example', '.env.example.md', '.env.example~', '.env.sample', '.env.sample.local', '.env.template.txt'],
    ...['.env.dist', '.env.production.example', '.environment', 'env.md', 'environment.md'],
    ...['id_rsa.pub', 'id_ed25519.pub', 'about-id_rsa.md', 'secrets.md', 'my-credentials.md', 'service-account.md'],
    ...['token.md', 'tokens', 'token/a.md', 'credentials/a.md'],
  ];
  for (const name of names) expect([name, withheldReason(name)]).toEqual([name, null]);
});

import { describe, expect, it } from 'vitest';
import { secrets, secretsInNames } from '../../../../src/rules/checks/secrets.ts';
import { findSecrets } from '../../../../src/rules/secrets/find-secrets.ts';
import { expectEffortBelow } from '../../../support/effort.ts';

/** Invented, and put together so that no scanner takes this file for a leak. */
const [CHANCE, TYPED] = [['q7Rt2Lm', 'Zx9VbNc4Y', 'wKd3Hs'].join(''), ['Lantern', '1986!'].join('')];
const TOKEN = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
const hexOf = (text: string): string =>
  Array.from(text, (letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('');

describe('a secret in plain sight', () => {
  it.each([
    ['of a database in Go', 'a.go', `sql.Open("mysql", "app:${CHANCE}@tcp(10.0.0.7:3306)/app")`],
    ['in an address', 'a.py', `get("https://api.acme.io/v1?access_token=${CHANCE}&page=1")`],
    ['behind -p', 'a.sh', `mysqldump -h db -u root -p${CHANCE} shop > a.sql`],
    ['behind Bearer', 'a.txt', `the call sent Bearer ${CHANCE} and failed`],
    ['in a sentence', 'NOTES.txt', `The root password is ${CHANCE}, please rotate.`],
    ['of a list of users', '.htpasswd', `admin:${['$apr1', 'k3Jd8sWq', 'ZxqRt2LmZx9VbNc4YwKd3H'].join('$')}`],
  ])('is found: %s', (_, path, text) => {
    expect(findSecrets(path, text).length).toBeGreaterThan(0);
  });

  it.each([
    ['German', `kennwort = ${TYPED}`],
    ['Chinese', `密码：${TYPED}`],
    ['Korean', `비밀번호: ${TYPED}`],
    ['Spanish', `contraseña: ${TYPED}`],
    ['Arabic', `كلمة_المرور: ${TYPED}`],
  ])('is found behind its name in %s', (_, text) => {
    expect(findSecrets('a.yml', text)).toHaveLength(1);
  });

  it.each([
    ['zero-width spaces', `x = ${TOKEN.slice(0, 12)}\u200b${TOKEN.slice(12)}`],
    ['a soft hyphen', `postgres://app:${CHANCE.slice(0, 8)}\u00ad${CHANCE.slice(8)}@db/x`],
    ['one in its name', `DB_PASS\u2060WORD=${CHANCE}`],
    ['escapes of JSON', `{"dsn": "postgres://app:${CHANCE}\\u0040db/x"}`],
    ['escapes of an address', `next=https%3A%2F%2Fsvc%3A${CHANCE}%40db.acme.io%2F`],
    [
      'full-width letters',
      `${'postgres://app:'.replace(/[a-z]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))}${CHANCE}@db/x`,
    ],
    ['base64', `blob: ${btoa(`region = eu\ntoken = ${TOKEN}\n`)}`],
    ['hexadecimal numbers', `blob: "${hexOf(`postgres://app:${CHANCE}@db.prod:5432/app`)}"`],
    [
      'base64 over several lines',
      btoa(`# a file\n# of settings\nDB_USER=app\nDB_PASSWORD=${CHANCE}\n`).replace(/.{60}/g, '$&\n'),
    ],
  ])('is found behind %s', (_, text) => {
    expect(findSecrets('a.txt', text).length).toBeGreaterThan(0);
  });

  it('is masked with its line where it is disguised', () => {
    const text = `a\nb ${TOKEN.slice(0, 12)}\u200b${TOKEN.slice(12)} c\nd`;
    const [found] = findSecrets('a.txt', text);
    expect(text.slice(found?.start, found?.end)).toBe(text.split('\n')[1]);
  });

  it.each([
    ['locales/de.json', '{"password": "Passwort", "confirm_password": "Passwort bestätigen"}'],
    ['messages_pt.properties', 'login.password=Senha de acesso'],
    ['a.sh', 'mysql -u root -p shop; mysql -p"$PW" shop; mysql -p$(cat pw) shop'],
    ['a.sh', 'echo "$TOKEN" | docker login -u acme --password-stdin ghcr.io'],
    ['a.tf', 'variable "token_ttl" {\n  default = "3600s"\n}\nvariable "db_password" {\n  default = ""\n}'],
    ['a.ts', "const API_KEY_HEADER = 'x-acme-api-key-v2';"],
    ['a.txt', btoa('Hello world, this is a plain text that says nothing at all of interest.')],
  ])('is not seen in %s: %s', (path, text) => {
    expect(secrets(path, '', text)).toEqual([]);
  });

  it.each([`keys/${TOKEN}.txt`, `a/postgres:%2F%2Fapp:${CHANCE}@db/x`, `notes/api_key=${CHANCE}`])(
    'is found in the name of a file, which is not shown: %s',
    (path) => {
      const [found] = secretsInNames([path, 'src/tokens.ts']);
      expect(found).toMatchObject({ source: 'secrets', severity: 'critical' });
      expect(JSON.stringify(found)).not.toMatch(new RegExp(`${CHANCE}|${TOKEN}`));
    },
  );

  it('is not seen in ordinary names of files', () => {
    const names = ['src/auth/token-5f2c9a1b.js', 'public/app.3f9ab27c1d.css', 'test/password_reset_v2.test.ts'];
    expect(secretsInNames([...names, 'migrations/20260117_add_api_key_hash.sql', 'docs/secret=none.md'])).toEqual([]);
  });

  it('is looked for in time that grows with the text and nothing else', () => {
    const shapes = [
      String.raw`variable "password" {|password:\n  a: b\n|auth=("a", "b|Private-Lines: 1\n|%41|\u0041|密码：`,
      `mot de |password is |:$6$|IDENTIFIED BY |mysql -p${CHANCE} |?token=${CHANCE}&|0a|${btoa(`token = ${TOKEN}`)}\n`,
    ]
      .flatMap((row) => row.replaceAll('\\n', '\n').split('|'))
      .concat('\u200b', 'a\u00adb');
    for (const shape of shapes) {
      const text = shape.repeat(Math.ceil(60_000 / shape.length));
      expectEffortBelow(45, () => findSecrets('a.txt', text), shape);
    }
  });
});

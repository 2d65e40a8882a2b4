import { describe, expect, it } from 'vitest';
import { secrets, secretsInNames } from '../../../../src/rules/checks/secrets.ts';
import { findSecrets } from '../../../../src/rules/secrets/find-secrets.ts';
import { expectEffortBelow } from '../../../support/effort.ts';

/** Invented, and put together so that no scanner takes this file for a leak. */
const [CHANCE, TYPED] = [['q7Rt2Lm', 'Zx9VbNc4Y', 'wKd3Hs'].join(''), ['Lantern', '1986!'].join('')];
const TOKEN = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
const PUTTY = ['PuTTY-User', `Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n${CHANCE.repeat(2)}\n`].join(
  '-',
);
const hexOf = (text: string): string =>
  Array.from(text, (letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('');

describe('a secret in plain sight', () => {
  it.each([
    ['of a database in Go', 'a.go', `sql.Open("mysql", "app:${CHANCE}@tcp(10.0.0.7:3306)/app")`],
    ['of Oracle', 'a.xml', `<url>jdbc:oracle:thin:hr/${CHANCE}@//ora:1521/x</url>`],
    ['in a signed address', 'a.md', `https://x.blob.core.windows.net/a?sv=2022-11-02&sig=${CHANCE}${CHANCE}%3D`],
    ['in an address', 'a.py', `get("https://api.acme.io/v1?access_token=${CHANCE}&page=1")`],
    ['behind -p', 'a.sh', `mysqldump -h db -u root -p${CHANCE} shop > a.sql`],
    ['behind -p, in a list', 'a.py', `subprocess.run(["mysql", "-uroot", "-p${CHANCE}"])`],
    ['of sshpass', 'a.sh', `sshpass -p '${TYPED}' ssh root@h`],
    ['of docker', 'a.yml', `run: docker login -u ci -p ${CHANCE} r.acme.io`],
    ['of any program', 'a.sh', `acmectl deploy --password ${TYPED} --env prod`],
    ['by its place', 'a.bat', `net user deploy ${TYPED} /add`],
    ['of PuTTY', 'a.ppk', PUTTY],
    ['of PowerShell', 'a.ps1', `$x = ConvertTo-SecureString "${TYPED}" -AsPlainText -Force`],
    ['in an environment of PowerShell', 'a.ps1', `$env:ACME_API_TOKEN = '${CHANCE}'`],
    ['of a variable of Terraform', 'a.tf', `variable "db_password" {\n  type = string\n  default = "${TYPED}"\n}`],
    ['of a parameter', 'a.yaml', `MasterPassword:\n  Type: String\n  NoEcho: true\n  Default: ${TYPED}`],
    ['handed to a call', 'a.py', `requests.get(URL, auth=("svc", "${TYPED}"))`],
    ['handed to a database', 'a.php', `new PDO('mysql:host=db', 'shop', '${TYPED}')`],
    ['of a database user', 'a.sql', `GRANT ALL ON a.* TO 'b' IDENTIFIED BY '${TYPED}'`],
    ['behind Bearer', 'a.txt', `the call sent Bearer ${CHANCE} and failed`],
    ['behind Basic', 'nginx.conf', `proxy_set_header Authorization "Basic ${btoa(`svc:${CHANCE}`)}";`],
    ['in a sentence', 'NOTES.txt', `The root password is ${CHANCE}, please rotate.`],
    ['alone in a line', 'router.cfg', `enable password ${TYPED}\n`],
    ['in a comment', 'a.ts', `// temp: api key ${CHANCE}`],
    ['of a list of users', '.htpasswd', `admin:${['$apr1', 'k3Jd8sWq', 'ZxqRt2LmZx9VbNc4YwKd3H'].join('$')}`],
  ])('is found: %s', (_, path, text) => {
    expect(findSecrets(path, text).length).toBeGreaterThan(0);
  });

  it.each([
    ['German', `kennwort = ${TYPED}`],
    ['Spanish', `contraseña: ${TYPED}`],
    ['French', `mot_de_passe=${TYPED}`],
    ['Portuguese', `senha: ${TYPED}`],
    ['Russian', `пароль: ${TYPED}`],
    ['Polish', `"hasło": "${TYPED}"`],
    ['Turkish', `sifre=${TYPED}`],
    ['Hungarian', `jelszo=${TYPED}`],
    ['Vietnamese', `mật khẩu: ${TYPED}`],
    ['Arabic', `كلمة_المرور: ${TYPED}`],
    ['Hindi', `पासवर्ड = ${TYPED}`],
    ['Chinese', `密码：${TYPED}`],
    ['Japanese', `パスワード = "${TYPED}"`],
    ['Korean', `비밀번호: ${TYPED}`],
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
    ['src/i18n/fr.ts', "export default { password: 'Mot de passe', token: 'Jeton d’accès' };"],
    ['de.lproj/Localizable.strings', '"password" = "Kennwort";'],
    ['messages_pt.properties', 'login.password=Senha de acesso'],
    ['zh.json', '{"密码": "请输入密码", "password": "密码"}'],
    ['LIESMICH.md', 'Passwort: mindestens 12 Zeichen, siehe Kapitel 3.2'],
    ['package-lock.json', `"secret-token": {"integrity": "sha512-${btoa(CHANCE.repeat(3))}"}`],
    [
      'yarn.lock',
      `"auth-token@1":\n  resolved "https://registry.yarnpkg.com/a/-/a-1.tgz#${hexOf(CHANCE).slice(0, 40)}"`,
    ],
    ['go.sum', `example.org/token v1.2.3 h1:${btoa(CHANCE + CHANCE).slice(0, 43)}=`],
    ['a.sh', 'mysql -u root -p shop; mysql -p"$PW" shop; mysql -p$(cat pw) shop'],
    ['a.sh', 'ssh -p 2222 a@b; docker run -p 8080:80 x; mkdir -p build/output2; patch -p1 < a.diff'],
    ['a.sh', 'echo "$TOKEN" | docker login -u acme --password-stdin ghcr.io'],
    ['a.ps1', '$x = ConvertTo-SecureString "$env:DB_PASSWORD" -AsPlainText -Force'],
    ['a.tf', 'variable "token_ttl" {\n  default = "3600s"\n}\nvariable "db_password" {\n  default = ""\n}'],
    ['a.ts', "const API_KEY_HEADER = 'x-acme-api-key-v2';"],
    ['a.yml', 'POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?missing}'],
    ['a.txt', btoa('Hello world, this is a plain text that says nothing at all of interest.')],
    ['a.md', 'Bearer authentication requires a valid access-token from the issuer.'],
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
      `mysql -p${CHANCE} `,
      'mysql ',
      'docker login \\\n',
      'variable "password" {',
      'variable "password" { type = x ',
      'password:\n  a: b\n',
      'auth=("a", "b',
      'PDO(a, b, ',
      'Private-Lines: 1\n',
      `Bearer ${CHANCE} `,
      'Bearer  ',
      '?token=',
      `?token=${CHANCE}&`,
      '\u200b',
      'a\u00adb',
      '%41',
      '\\u0041',
      '&amp;',
      '密码：',
      `пароль = ${TYPED}\n`,
      'mot de ',
      '0a',
      `${btoa('a plain text of some letters, that is long enough')} `,
      `${btoa(`token = ${TOKEN}`)}\n`,
      'password is ',
      '--password ',
      ':$6$',
      'IDENTIFIED BY ',
      'name: password\n',
      'type="password" ',
      'password x\n',
    ];
    for (const shape of shapes) {
      const text = shape.repeat(Math.ceil(60_000 / shape.length));
      expectEffortBelow(45, () => findSecrets('a.txt', text), shape);
    }
  });
});

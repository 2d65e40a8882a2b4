import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { explainSetup, showHiddenTool } from '../../../../src/line/gates/explain-setup.ts';

describe('a setup that fails at the network', () => {
  it.each([
    [
      'npm ci',
      'npm error code SELF_SIGNED_CERT_IN_CHAIN',
      'certificate',
      'export NODE_EXTRA_CA_CERTS=/path/to/company.pem',
    ],
    [
      '.venv/bin/pip install x',
      '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed',
      'certificate',
      'export PIP_CERT=',
    ],
    ['uv sync --frozen', 'error: invalid peer certificate: UnknownIssuer', 'certificate', 'export SSL_CERT_FILE='],
    [
      'cargo fetch',
      '[60] SSL certificate problem: unable to get local issuer certificate',
      'certificate',
      'export CARGO_HTTP_CAINFO=',
    ],
    [
      'go mod vendor',
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
      'certificate',
      'export SSL_CERT_FILE=',
    ],
    ['npm ci', 'npm error connect ECONNREFUSED 127.0.0.1:3128', 'on this machine', 'export HTTPS_PROXY='],
    ['npm ci', 'npm error 407 Proxy Authentication Required', 'login', 'http://user:password@'],
    [
      'npm ci',
      'npm error code E401',
      'registry refuses',
      `cage: { read: [${homedir()}/.npmrc], env: [NPM_CONFIG_REGISTRY] }`,
    ],
    ['pnpm install', 'ERR_PNPM_FETCH_404  GET https://r/x: Not Found - 404', 'does not have', '.npmrc'],
    ['poetry install', '403 Client Error: Forbidden for url', 'registry refuses', 'pypoetry/auth.toml'],
    ['npm ci', 'npm error code ENOTFOUND', 'no address', 'export HTTPS_PROXY='],
    ['cargo fetch', '[6] Could not resolve host: index.crates.io', 'no address', 'export HTTPS_PROXY='],
    ['npm ci', 'npm error code ETIMEDOUT', 'did not answer', 'export HTTPS_PROXY='],
    ['make deps', '', 'waited for the network', 'export HTTPS_PROXY='],
  ])('names the cause and a line to paste: %s, %s', (run, output, cause, remedy) => {
    const fault = explainSetup(run, output, output === '');
    expect(fault?.cause).toContain(cause);
    expect(fault?.remedy).toContain(remedy);
    expect(fault?.remedy).toMatch(/`[^`]+`/);
  });

  it('is not suspected behind another fault', () => {
    expect(
      explainSetup('npm ci', 'npm error code EUSAGE: package.json and package-lock.json are not in sync', false),
    ).toBe(undefined);
  });
});

describe('a toolchain that the cage hides', () => {
  it('is named with the line that shows it, where the machine has the path that was missed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tools-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const root = join(folder, '.pyenv');
    mkdirSync(join(root, 'libexec'), { recursive: true });
    writeFileSync(join(root, 'libexec/pyenv'), '');
    const missed = (path: string): string => `${root}/shims/python3: line 12: ${path}: No such file or directory`;
    const text = missed(join(root, 'libexec/pyenv'));
    expect(showHiddenTool(text, { PYENV_ROOT: root, HOME: folder })).toContain(
      `\`cage: { read: [${root}], env: [PYENV_ROOT] }\``,
    );
    for (const env of [{}, { CODEX_HOME: root }, { HOME: folder }]) expect(showHiddenTool(text, env)).toBe(undefined);
    expect(showHiddenTool(missed(join(root, 'gone')), { PYENV_ROOT: root })).toBe(undefined);
    const rustup = 'error: rustup could not choose a version of cargo to run';
    expect(showHiddenTool(rustup, { RUSTUP_HOME: root })).toContain('env: [RUSTUP_HOME]');
    expect(showHiddenTool(rustup, {})).toBe(undefined);
  });
});

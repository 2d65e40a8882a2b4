import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { explainSetup } from '../../../../src/line/gates/explain-setup.ts';

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

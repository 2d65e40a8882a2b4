import type { Haystack } from '../text/haystack.ts';
import type { FoundSecret } from './found-secret.ts';
import { spansOf } from './found-secret.ts';
import { entropy, isPlaceholder } from './placeholders.ts';

/** Secrets that are known by what stands around them: keys in armour, tokens of three parts, addresses, commands, settings. */
export function secretsInContext({ text, mayHold }: Haystack): readonly FoundSecret[] {
  return CONTEXTS.filter(({ word }) => mayHold(word)).flatMap(({ what, pattern, is = () => true }) =>
    [...spansOf(pattern, text)].flatMap(({ start, value, match }) =>
      is(value, match) ? [{ start, end: start + value.length, what }] : [],
    ),
  );
}

interface Context {
  readonly what: string;
  readonly word: string;
  readonly pattern: RegExp;
  readonly is?: (value: string, match: RegExpExecArray) => boolean;
}

const CONTEXTS: readonly Context[] = [
  {
    what: 'a private key',
    word: 'private key',
    pattern:
      /-----BEGIN[ A-Z0-9_-]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|[\s"'+,>|\\]|[A-Za-z-]{2,20}: ?[^\n\\]{0,120}(?:\n|\\n)){0,40}?[A-Za-z0-9+/]{24,}/g,
  },
  {
    what: 'a private key in base64',
    word: 'ls0tls1crudjti',
    pattern:
      /(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi(?:BQUklWQVRFIEtFWS0t|BSU0EgUFJJVkFURSBLRVkt|BFQyBQUklWQVRFIEtFWS0t|BEU0EgUFJJVkFURSBLRVkt|BPUEVOU1NIIFBSSVZBVEUgS0VZ|BFTkNSWVBURUQgUFJJVkFURSBLRVkt)[A-Za-z0-9+/]{40,20000}={0,2}/g,
  },
  {
    what: 'a JSON Web Token',
    word: 'ey',
    pattern:
      /\b(?<head>ey[A-Za-z0-9_/+-]{15,4000})\.(?:ey[A-Za-z0-9_/+-]{10,8000})(?:\.[A-Za-z0-9_/+-]{10,4000}={0,2})?/g,
    is: (_, match) => isHeader(match.groups?.['head'] ?? ''),
  },
  {
    what: 'a JSON Web Token',
    word: 'zxlk',
    pattern:
      /\bZXlK(?:aGJHY2lPaU|aGNIVWlPaU|aGNIWWlPaU|aGRXUWlPaU|amRtSWlPaU|amNtbDBJam|bGJtTWlPaU|aklqb2|bmx3SWpv|aWFYTnpJam|bGVIQWlPai|cmFXUWlPaU|MGVYQWlPaU|NmFYQWlPaU|MWMyVWlPaU|NGlqb2|cmFXUWlP|amRIa2lPaU|dWIyNWpaU)[A-Za-z0-9+/_-]{60,8000}={0,2}/g,
  },
  {
    what: 'a password in an address',
    word: '://',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@'"<>`\\]{0,100}:(?<value>[^\s/@'"<>`\\]{3,200})@[\w.[\]${}-]+/gi,
    is: (password, match) =>
      !isPlaceholder(password) && !/^\d{1,5}$/.test(password) && password.toLowerCase() !== userOf(match[0]),
  },
  {
    what: 'a key for Sidekiq',
    word: 'contribsys',
    pattern:
      /(?:contribsys__com["']?\s{0,3}[:=]\s{0,3}["']?|https?:\/\/)(?<value>[a-f0-9]{8}:[a-f0-9]{8})(?:@|["'\s]|$)/gi,
  },
  {
    what: 'a password of a package source',
    word: 'password"',
    pattern: /<add\s{1,4}key=["'](?:cleartext)?password["']\s{1,4}value=["'](?<value>[^"']{8,200})["']/gi,
    is: (value) => !isPlaceholder(value),
  },
  {
    what: 'a token of a package registry',
    word: '_auth',
    pattern: /(?<![\w.])_(?:authToken|auth|password)\s{0,3}=\s{0,3}["']?(?<value>[A-Za-z0-9+/=_.-]{12,2000})/g,
    is: (value) => !isPlaceholder(value),
  },
  {
    what: 'a login of a container registry',
    word: '"auth"',
    pattern: /"auth"\s{0,4}:\s{0,4}"(?<value>[A-Za-z0-9+/]{12,2000}={0,2})"/g,
    is: (value) => decoded(value).includes(':') && entropy(value) > 2.5,
  },
  {
    what: 'a token in a header',
    word: 'authorization',
    pattern:
      /authorization["']?\s{0,3}(?:[:=,]|=>)\s{0,3}[\\"'`]{0,3}(?:bearer|basic|token|bot|apikey)\s{1,3}(?<value>[A-Za-z0-9+/=_.~-]{16,4000})/gi,
    is: (value) => !isPlaceholder(value) && /\d/.test(value) && entropy(value) > 3,
  },
  {
    what: 'a password of a connection',
    word: '=',
    pattern: /;\s{0,3}(?:password|pwd)\s{0,2}=\s{0,2}(?<value>[^;"'\s]{6,100})/gi,
    is: (value) => !isPlaceholder(value),
  },
  {
    what: 'a password of a machine',
    word: 'machine',
    pattern: /\bmachine\s{1,4}\S{1,200}\s{1,8}login\s{1,4}\S{1,200}\s{1,8}password\s{1,4}(?<value>\S{4,200})/g,
    is: (value) => !isPlaceholder(value),
  },
  {
    what: 'a value of a variable that says secret',
    word: 'value',
    pattern:
      /\bname["']?\s{0,4}[:=]\s{0,4}["']?[\w.-]{0,40}(?:token|secret|passw|api_?key|private_?key)[\w.-]{0,20}["']?,?\s{1,40}["']?value["']?\s{0,4}[:=]\s{0,4}["']?(?<value>[^\s"',]{8,400})/gi,
    is: (value) => !isPlaceholder(value) && /\d/.test(value) && entropy(value) > 3,
  },
  {
    what: 'a value of a variable that says secret',
    word: 'env',
    pattern:
      /^[ \t]{0,20}(?:ENV|env)[ \t]{1,20}\w{0,40}(?:TOKEN|SECRET|PASSW(?:OR)?D|API_?KEY|(?:PRIVATE|ACCESS)_?KEY)(?!\w{0,20}_(?:FILE|PATH|NAME|URL|URI|ID|TTL|TYPE|HEADER)[ \t])\w{0,20}[ \t]{1,20}["']?(?<value>[^\s"'$/=][^\s"'=]{7,400}={0,2})["']?[ \t]*\r?$/gm,
    is: (value) => !isPlaceholder(value) && /\d/.test(value) && entropy(value) > 3,
  },
  {
    what: 'a key of an account',
    word: 'key=',
    pattern: /(?:accountkey|sharedaccesskey|sharedsecret|sig)=(?<value>[A-Za-z0-9+/%]{40,120}={0,2})/gi,
    is: (value) => entropy(value) > 3.5,
  },
];

/** The first part of a token, which says in JSON how it is signed. */
const isHeader = (part: string): boolean =>
  /"(?:alg|typ|kid|enc|zip|cty|jku|x5t|iss)"/.test(decoded(part)) && decoded(part).startsWith('{');

function decoded(base64: string): string {
  try {
    return atob(base64.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '').slice(0, 4000));
  } catch {
    return '';
  }
}

const userOf = (address: string): string => /:\/\/([^:]*):/.exec(address)?.[1]?.toLowerCase() ?? '';

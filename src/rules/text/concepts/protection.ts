import type { Concept } from './concept.ts';

/** Cryptography, transport, personal data and what is watched. */
export const PROTECTION: readonly Concept[] = [
  {
    id: 'signature',
    domain: 'signature',
    words:
      'signature|verify ~ signature|hmac|signed payload|signed request|signature check|code signing|서명|签名|验签',
    against: 'unsigned|서명 없이|未签名',
  },
  {
    id: 'vulnerability',
    domain: 'vulnerability',
    words:
      'known vulnerability|vulnerability|vulnerable|cve|npm audit|audit warning|security advisory|security patch|security update|취약점|보안 패치|漏洞|安全补丁',
  },
  {
    id: 'passwordhash',
    domain: 'crypto',
    words: 'argon2|argon2id|bcrypt|scrypt|pbkdf2|hash|hash password|salt|해시|해싱|哈希|散列|加盐',
    against: 'plain text|plaintext|cleartext|clear text|in the clear|unhashed|md5|sha 1|sha1|base64|평문|明文',
  },
  {
    id: 'encryption',
    domain: 'crypto',
    words: 'encrypt|encryption|encrypted at rest|aes|kms key|cipher|암호화|加密',
    against: 'plain text|plaintext|cleartext|unencrypted|in the clear|평문|明文',
  },
  {
    id: 'tls',
    domain: 'tls',
    words:
      'tls|https|ssl|mtls|certificate|cert|certificate verification|certificate check|certificate validation|cert verification|hsts|인증서|证书',
    against:
      'plain http|over http|http only|verify false|insecure skip verify|insecureskipverify|rejectunauthorized false|rejectunauthorized to false|self signed certificate accepted|accept any certificate|trust all certificates|k flag|curl k|http로',
  },
  {
    id: 'pii',
    domain: 'privacy',
    words:
      'personal data|personal information|personally identifiable|pii|email address|email|e mail|phone number|home address|postal address|date of birth|birth date|card number|credit card|social security|ssn|passport number|user name|full name|first name|last name|customer name|names of|profile|profile object|user object|user record|customer data|user data|ip address|health data|개인정보|개인 정보|개인 데이터|이메일|전화번호|주소 정보|주민등록|카드 번호|카드번호|个人信息|个人数据|隐私|邮箱|邮件地址|手机号|电话号码|身份证|银行卡|卡号|姓名',
    against: 'redact|mask|anonymize|pseudonymize|scrub|마스킹|익명화|가린|脱敏|匿名化|打码|掩码',
  },
  {
    id: 'audit',
    domain: 'audit',
    words: 'audit log|audit trail|audit record|audit event|audit|감사 로그|감사 기록|审计日志|审计',
  },
  {
    id: 'random',
    domain: 'crypto',
    words: 'secure random|cryptographic random|randombytes|crypto randomuuid|csprng|암호학적 난수|安全随机',
    against: 'math random|rand|mt rand|predictable random|timestamp as token',
  },
  {
    id: 'productiondata',
    domain: 'privacy',
    words:
      'production data|production database|prod data|prod database|live data|live database|customer data|prod dump|production dump|운영 데이터|운영 디비|운영 데이터베이스|프로덕션 데이터|生产数据|生产库|线上数据',
    against:
      'synthetic data|fake data|fixture data|anonymized data|generated data|가짜 데이터|합성 데이터|模拟数据|合成数据',
  },
  {
    id: 'testsystem',
    domain: 'environments',
    words:
      'test system|test environment|staging|staging system|dev environment|development environment|developer laptop|laptop|sandbox|qa environment|테스트 환경|스테이징|개발 환경|개발 서버|测试环境|预发|开发环境',
  },
  {
    id: 'retention',
    domain: 'privacy',
    words: 'retention|retention period|data retention|right to erasure|gdpr|보존 기간|보관 기간|保留期|留存|过期删除',
    against:
      'keep forever|keep ~ forever|store forever|store indefinitely|keep indefinitely|retain indefinitely|never delete|영구 보관|무기한 보관|永久保存|永久保留',
  },
];

import type { Concept } from './concept.ts';

/** Secrets, sign-in, permissions and input. */
export const SECURITY: readonly Concept[] = [
  {
    id: 'secret',
    domain: 'secrets',
    words:
      'api key|apikey|api token|access token|access key|secret key|client secret|signing key|private key|ssh key|encryption key|token|password|passphrase|passwd|credential|secret|connection string|license key|service account key|webhook secret|비밀번호|암호|비밀 키|비밀키|시크릿|토큰|자격 증명|자격증명|인증 정보|인증키|키 값|密码|密钥|令牌|凭证|凭据|口令|秘钥|私钥',
  },
  {
    id: 'hardcode',
    domain: 'secrets',
    words:
      'hardcode|hard code|bake ~ into|embed in code|embed ~ in the code|inline literal|literal value|magic string|directly in the source|directly in source|directly in the code|directly in code|straight into the code|straight into the source|straight into the jsx|directly into the code|directly in the config|plain in the code|verbatim in|as a constant in|commit the key|commit the token|commit the secret|commit the password|check the key into|paste ~ into|하드코딩|하드 코딩|그대로 적|그대로 넣|그대로 써|코드에 직접|소스에 직접|코드에 박|硬编码|写死|直接写在代码|直接写在源|直接写进|写进代码|写到代码|明文写',
    against:
      'environment variable|env variable|env var|envvar|from the environment|process env|dotenv|from env|vault|secret manager|secrets manager|secret store|key vault|keychain|kms|parameter store|sealed secret|secret mount|injected at runtime|inject at runtime|환경 변수|환경변수|시크릿 매니저|볼트|环境变量|密钥管理|密钥库|密钥服务|配置中心',
  },
  {
    id: 'sourcecode',
    domain: 'secrets',
    words:
      'source code|source file|source tree|source|code base|codebase|repository|repo|version control|config file|git history|in the code|in code|소스 코드|소스코드|소스|코드베이스|저장소|설정 파일|源代码|源码|代码库|仓库|代码中|代码里|配置文件',
  },
  {
    id: 'authn',
    domain: 'auth',
    words:
      'authentication|authenticate|authn|auth|auth middleware|log in|login|sign in|signin|sso|single sign on|oauth|oidc|openid|saml|mfa|2fa|two factor|bearer token|identity check|requireauth|인증|로그인|认证|身份验证|鉴权|登录|登陆',
    against:
      'anonymous access|anonymously|anonymous|public without login|open to everyone|open to anyone|open to the public|accessible to anyone|accessible to everyone|anyone can call|without login|login free|allow all|permit all|permitall|익명|누구나 접근|인증 없이|匿名|任何人都可以|免登录',
  },
  {
    id: 'authz',
    domain: 'auth',
    words:
      'authorization|authorize|authz|permission|permission check|access control|role based|rbac|abac|acl|role check|role|privilege check|access check|ownership check|policy check|권한|역할|인가|접근 제어|授权|权限|角色|访问控制',
    against: 'grant everyone|admin for everyone|everyone is admin|모두에게 관리자|所有人都有权限',
  },
  {
    id: 'authtoken',
    domain: 'auth',
    words:
      'jwt|session token|session id|refresh token|id token|auth token|token|session|json web token|bearer|토큰|세션|令牌|会话',
  },
  {
    id: 'httponly',
    domain: 'auth',
    words: 'httponly cookie|http only cookie|httponly|secure cookie|secure flag|samesite|cookie jar secure',
    against:
      'localstorage|local storage|sessionstorage|session storage|web storage|로컬 스토리지|로컬스토리지|本地存储',
  },
  { id: 'cookie', domain: 'auth', words: 'cookie|set cookie|쿠키' },
  {
    id: 'rotation',
    domain: 'secrets',
    words:
      'rotate ~ key|rotate ~ secret|rotate ~ credential|key rotation|secret rotation|rotate keys|키 교체|키 순환|密钥轮换|轮换',
  },
  { id: 'admin', domain: 'permissions', words: 'admin|administrator|관리자|管理员' },
  {
    id: 'leastprivilege',
    domain: 'permissions',
    words:
      'least privilege|minimal permission|minimum permission|narrow permission|scoped token|read only role|drop privilege|drop capability|runasnonroot|run as non root|non root|nonroot|unprivileged user|unprivileged|rootless|최소 권한|비루트|最小权限|非 root|非root',
    against:
      'as root|root user|run as admin|admin rights|full access|wildcard permission|all permissions|privileged mode|privileged container|chmod 777|777|sudo|superuser|administrator access|루트 권한|루트로|root로|root 사용자로|root 권한|관리자 권한|모든 권한|root 用户|以 root|以root|root 权限|管理员权限',
  },
  {
    id: 'validation',
    domain: 'input',
    words:
      'validation|validate|validator|sanitize|sanitization|schema check|parse with a schema|parse ~ schema|zod|joi|yup|ajv|pydantic|json schema|input check|check the input|length limited|whitelist the|allowlist the|verify the payload|check the payload|bounds check|type check the input|검증|유효성|입력 검사|스키마로|校验|验证输入|输入验证|输入校验|验证参数|参数验证|数据验证',
    against:
      'trust the client|trust the input|trust the user|trust the caller|trust user input|trust the payload|trust the frontend|blindly accept|accept anything|take ~ as is|as is|raw input|whatever the user|그대로 사용|그대로 저장|그대로 받|클라이언트를 믿|信任客户端|信任输入|原样|直接使用用户',
  },
  {
    id: 'userinput',
    domain: 'input',
    words:
      'user input|external input|request body|request bodies|request payload|payload|query parameter|query string|form data|form field|user text|user content|user supplied|user provided|input|search term|request parameter|upload file name|사용자 입력|입력값|요청 본문|파라미터|用户输入|输入|请求体|请求参数|用户内容',
  },
  { id: 'sql', domain: 'sql', words: 'sql|sql query|sql string|sql statement|where clause|select statement|查询语句' },
  {
    id: 'concat',
    domain: 'sql',
    words:
      'concatenate|concatenation|string concatenation|string interpolation|interpolate|template literal|template string|f string|string format|glue ~ together|append ~ to the query|splice ~ into|문자열에 붙|이어 붙|이어붙|문자열 연결|문자열로 조합|拼接|字符串拼接|拼到|拼成',
    against:
      'parameterized query|parameterize|prepared statement|bind parameter|bound parameter|bind variable|placeholder parameter|query builder|sql placeholder|바인딩|준비된 문|프리페어드|매개변수화|파라미터화|参数化|预编译|占位符|绑定参数',
  },
  {
    id: 'shell',
    domain: 'input',
    words:
      'shell|shell command|command line string|exec|system call|os system|child process|subprocess|shell true|bash c|쉘|셸|shell 命令|命令行',
    against: 'execfile|argument array|args array|shell false|인자 배열|参数数组',
  },
  {
    id: 'eval',
    domain: 'input',
    words: 'eval|new function|exec the string|dynamic code|run user code|vm runinthiscontext',
  },
  {
    id: 'xss',
    domain: 'xss',
    words:
      'innerhtml|outerhtml|dangerouslysetinnerhtml|v html|document write|insertadjacenthtml|raw html|unescaped html|html safe|bypasssecuritytrust|이스케이프하지 않은 html|未转义',
    against:
      'textcontent|inner text|innertext|createtextnode|escape the value|escape html|html escape|escape|escape output|dompurify|이스케이프|转义',
  },
  { id: 'csrf', domain: 'web-security', words: 'csrf|xsrf|cross site request|csrf token|anti forgery' },
  {
    id: 'cors',
    domain: 'web-security',
    words: 'cors|allowed origin|origin allowlist|access control allow origin|origin header',
    against: 'allow all origins|any origin|wildcard origin|all origins|모든 출처|所有来源',
  },
  {
    id: 'ratelimit',
    domain: 'ratelimit',
    words:
      'rate limit|rate limiting|ratelimit|throttle|throttling|quota|429|too many requests|request cap|per minute|요청 제한|속도 제한|호출 제한|限流|频率限制|速率限制|限速',
    against: 'unlimited requests|unthrottled|as often as they like|제한 없이 호출|不限流|不限次数',
  },
];

import type { Concept } from './concept.ts';

/** How code is written: errors, types, state, design. */
export const CODE: readonly Concept[] = [
  {
    id: 'swallow',
    domain: 'errors',
    words:
      'swallow|swallow ~ error|swallow ~ exception|ignore ~ error|ignore ~ exception|ignore ~ failure|suppress ~ error|suppress ~ exception|discard ~ error|discard ~ exception|empty catch|catch block empty|empty catch block|except pass|catch and continue|silently fail|fail silently|eat the exception|eat ~ error|drop the exception|hide ~ error|on error resume next|catch everything|bare except|무시하고 계속|무시하고 진행|忽略并继续|삼키|삼킨|삼켜|무시하는 catch|빈 catch|예외를 무시|오류를 무시|에러를 무시|에러 무시|예외 무시|吞掉|吞|空 catch|空的 catch|空catch|忽略异常|忽略错误',
    against:
      'rethrow|re throw|throw again|propagate the error|propagate ~ exception|propagate|bubble up|surface the error|handle the error|handle errors|error handling|return the error|raise again|report the error|log the error|log ~ error|log ~ exception|다시 던|재던|전파|오류 처리|에러 처리|예외 처리|오류를 처리|에러를 처리|예외를 처리|예외를 기록|重新抛出|抛出|向上抛|错误处理|处理错误|处理异常|异常处理|记录异常|记录错误',
  },
  { id: 'error', domain: 'errors', words: 'error|exception|failure|panic|예외|오류|에러|异常|错误' },
  {
    id: 'anytype',
    domain: 'types',
    words:
      'any type|type any|as any|to any|any in typescript|every any|of any|string any|any cast|cast ~ any|typed as any|is any|return any|record any|explicit any|any 타입|any로|any를|any 类型|any类型',
    against:
      'unknown with narrowing|type unknown|as unknown|concrete interface|concrete type|proper type|precise type|typed interface|narrow the type|generic type parameter|type guard|구체적인 타입|具体类型|类型守卫',
  },
  {
    id: 'typesilence',
    domain: 'types',
    words:
      'ts ignore|ts nocheck|ts expect error|type ignore|noqa|eslint disable|suppresswarnings|nolint|rubocop disable|phpstan ignore|silence the compiler|silence ~ compiler|silence ~ linter|silence error|silence the error',
  },
  {
    id: 'types',
    domain: 'types',
    words:
      'type annotation|type hint|static type|typing|type safety|strict mode|strict null|mypy|타입 힌트|타입 주석|类型注解|类型提示|类型标注',
    against: 'untyped|loosely typed',
  },
  {
    id: 'naming',
    domain: 'style',
    words:
      'naming convention|snake case|camel case|kebab case|pascal case|descriptive name|명명 규칙|변수명|命名规范|命名',
    against: 'single letter name|one letter variable|abbreviated name',
  },
  {
    id: 'formatting',
    domain: 'style',
    words:
      'code format|formatter|auto format|prettier|gofmt|black|lint|linter|eslint|ruff|clippy|oxlint|포맷|린트|린터|格式化|代码检查|静态检查',
  },
  {
    id: 'deadcode',
    domain: 'deadcode',
    words:
      'dead code|unused code|unused function|unused variable|unused import|unused export|unreachable code|commented out code|commented out|comment out|comment ~ out|old code behind|죽은 코드|사용하지 않는|주석 처리|미사용|死代码|未使用|没有使用的|注释掉|无用代码',
  },
  {
    id: 'duplication',
    domain: 'duplication',
    words:
      'duplicate|duplication|copy paste|copy and paste|copy the code|copy the function|clone the|redundant copy|중복|복사해서 붙|복붙|重复代码|复制粘贴|拷贝',
    against: 'shared helper|reuse|extract a shared|common function|deduplicate|공통 함수|재사용|复用|公共函数|抽取公共',
  },
  {
    id: 'smallfunction',
    domain: 'size',
    words:
      'small function|short function|split the function|function length|split into smaller|작은 함수|함수 길이|小函数|函数长度|拆分函数',
    against: 'god class|giant function|one big function|huge function|monolithic function|500 line function',
  },
  {
    id: 'globalstate',
    domain: 'concurrency',
    words:
      'global state|global variable|mutable state|shared mutable|shared map|shared state|global map|mutable global|singleton state|shared counter|shared variable|module level variable|static mutable|전역 변수|전역 상태|공유 상태|全局变量|全局状态|共享状态|共享变量',
    against:
      'message passing|pass message|channel instead|immutable|immutability|local state|actor|pure function|메시지 전달|불변|消息传递|不可变|纯函数',
  },
  {
    id: 'lock',
    domain: 'concurrency',
    words:
      'lock|mutex|semaphore|synchronized|critical section|atomic|atomically|compare and swap|thread safe|락|뮤텍스|동기화|원자|加锁|互斥|锁|线程安全|原子',
    against: 'lock free for all|racy|data race|race condition|경쟁 상태|竞态',
  },
  {
    id: 'asyncio',
    domain: 'async',
    words: 'await|async|asynchronous|non blocking|promise|비동기|异步',
    against:
      'blocking call|block the event loop|readfilesync|synchronous call|synchronous io|sync call|동기 호출|동기식|阻塞|同步调用|synchronous|synchronously',
  },
  {
    id: 'uithread',
    domain: 'async',
    words: 'main thread|ui thread|event loop|메인 스레드|ui 스레드|主线程|ui 线程',
    against:
      'background worker|background thread|worker thread|web worker|off the main thread|백그라운드|后台线程|工作线程',
  },
  {
    id: 'innerdefault',
    domain: 'modules',
    words: 'default export|export default|export ~ as default|기본 내보내기|디폴트 익스포트|默认导出',
    against: 'named export|named one|이름 있는 내보내기|命名导出|具名导出',
  },
  {
    id: 'closing',
    domain: 'resources',
    words:
      'close ~ handle|close ~ file|close ~ connection|close ~ socket|close ~ stream|must be closed|is closed|are closed|dispose|finally block|using block|try with resources|defer close|release ~ connection|free ~ memory|unsubscribe|자원 해제|닫는다|释放资源|关闭连接|关闭文件',
    against:
      'leave ~ open|leave ~ handle open|leave ~ connection open|keep ~ handle open|leak|resource leak|memory leak|누수|泄漏',
  },
  {
    id: 'magicnumber',
    domain: 'constants',
    words: 'magic number|magic value|magic constant|unnamed constant|매직 넘버|魔法数字|魔数',
    against: 'named constant|constant with a name|symbolic constant|상수로|命名常量|常量',
  },
  {
    id: 'complexity',
    domain: 'size',
    words:
      'cyclomatic complexity|deep nesting|deeply nested|nested condition|nested if|nested loop|중첩|복잡도|嵌套|圈复杂度',
    against: 'early return|guard clause|flatten the condition|조기 반환|提前返回|卫语句',
  },
  {
    id: 'inheritance',
    domain: 'design',
    words: 'inheritance|inherit from|extend the base class|base class|subclass|상속|继承',
    against: 'composition|compose|delegate|조합|구성으로|组合',
  },
  {
    id: 'injection',
    domain: 'design',
    words:
      'dependency injection|inject the dependency|inject ~ through the constructor|constructor injection|의존성 주입|依赖注入',
    against: 'singleton|service locator|싱글턴|싱글톤|单例',
  },
  {
    id: 'immutable',
    domain: 'design',
    words: 'immutable|immutability|readonly|return a copy|new object instead|불변|不可变',
    against: 'mutate|mutation|modify the argument|change the argument|원본을 변경|原地修改|直接修改参数',
  },
  {
    id: 'nullcheck',
    domain: 'null',
    words: 'null check|check for null|nullable|optional chaining|null safe|handle null|널 검사|null 검사|空值检查|判空',
    against: 'non null assertion|assume it is not null|force unwrap|bang operator',
  },
];

import type { Concept } from './concept.ts';

/** Containers, logs, calls to elsewhere and the machines that services run on. */
export const OPERATIONS: readonly Concept[] = [
  {
    id: 'latesttag',
    domain: 'container',
    words:
      'latest tag|latest image|latest image tag|latest as ~ base image|latest tag of|tag latest|image latest|최신 태그|latest 태그|latest 标签|最新标签',
  },
  {
    id: 'image',
    domain: 'container',
    words:
      'container image|docker image|base image|image tag|image|dockerfile|manifest|oci image|이미지|베이스 이미지|镜像|基础镜像',
  },
  {
    id: 'container',
    domain: 'container',
    words: 'container|pod|kubernetes|k8s|deployment|helm chart|docker|컨테이너|파드|쿠버네티스|容器|集群',
  },
  {
    id: 'limits',
    domain: 'container',
    words:
      'resource limit|memory limit|cpu limit|cpu and memory limit|limit|resource quota|resource request|resource constraint|리소스 제한|메모리 제한|자원 제한|资源限制|内存限制|资源配额',
    against: 'unlimited memory|unbounded memory|without bound|as much memory as|unlimited cpu|unlimited',
  },
  {
    id: 'probe',
    domain: 'health',
    words:
      'liveness probe|readiness probe|liveness|readiness|probe|health endpoint|health check|healthz|healthcheck|health|헬스 체크|헬스체크|상태 확인|健康检查|存活探针|探针',
  },
  {
    id: 'graceful',
    domain: 'shutdown',
    words:
      'graceful shutdown|gracefully|drain|drain connection|drain ~ connection|sigterm handler|clean shutdown|finish in flight|in flight request|정상 종료|우아한 종료|우아하게 종료|优雅停机|优雅关闭|优雅退出|平滑关闭',
    against: 'process exit|kill 9|sigkill|hard exit|abrupt|kill immediately|강제 종료|强制退出|直接退出|强制终止',
  },
  {
    id: 'logging',
    domain: 'logging',
    words:
      'log|logging|write to the log|log line|log entry|log file|log statement|print|dump|console log|printf|trace output|audit trail|로그|로깅|기록을 남|출력|日志|打印|记录到日志|写入日志|echo',
  },
  {
    id: 'logger',
    domain: 'logging',
    words:
      'logger|logger info|structured log|structured field|structured logging|pino|winston|log4j|slf4j|logging framework|zap|로거|구조화 로그|구조화된 로그|日志库|结构化日志',
    against:
      'console log|console error|console debug|print statement|println|printf|system out|var dump|console 로그|console 输出',
  },
  {
    id: 'requestid',
    domain: 'logging',
    words: 'request id|correlation id|trace id|요청 id|추적 id|请求 id|请求id|追踪 id',
  },
  {
    id: 'metrics',
    domain: 'monitoring',
    words:
      'metric|monitor|monitoring|alert|dashboard metric|telemetry|tracing|observability|prometheus|opentelemetry|모니터링|지표|알림|监控|指标|告警',
  },
  {
    id: 'timeout',
    domain: 'resilience',
    words: 'timeout|time out|deadline|abort after|abortsignal|cancel after|타임아웃|시간 제한|超时|超时时间',
    against: 'wait forever|wait indefinitely|block forever|hang until|무한정 기다|무한 대기|一直等|无限等待',
  },
  {
    id: 'retry',
    domain: 'resilience',
    words: 'retry|retries|backoff|exponential backoff|jitter|circuit breaker|재시도|백오프|重试|退避|熔断',
    against:
      'retry forever|retry endlessly|retry indefinitely|retry without limit|infinite retry|endless retry|keep retrying until|무한 재시도|끝없이 재시도|无限重试|一直重试',
  },
  {
    id: 'outgoingcall',
    domain: 'resilience',
    words:
      'outgoing call|outgoing request|external call|http call|http request|network call|remote call|upstream|external api|third party api|api call|외부 호출|외부 api|外部调用|外部请求|外部接口',
  },
  {
    id: 'idempotent',
    domain: 'resilience',
    words: 'idempotent|idempotency|idempotency key|deduplicate request|exactly once|멱등|幂等',
    against: 'double charge|process twice',
  },
  {
    id: 'infraascode',
    domain: 'infra',
    words:
      'terraform|infrastructure as code|pulumi|ansible|cloudformation|helm|gitops|테라폼|인프라 코드|基础设施即代码',
    against: 'click ops|in the console by hand|in the aws console|by hand|manually|콘솔에서 직접|수동으로|手动|手工',
  },
];

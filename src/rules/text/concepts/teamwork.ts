import type { Concept } from './concept.ts';

/** Branches, reviews, pipelines and dependencies. */
export const TEAMWORK: readonly Concept[] = [
  {
    id: 'forcepush',
    domain: 'git',
    words:
      'force push|force pushing|push force|push f|push with force|git push force|force with lease|overwrite the remote|강제 푸시|강제로 푸시|강제푸시|强制推送|强推|强制 push',
  },
  {
    id: 'rewritehistory',
    domain: 'git',
    words:
      'rewrite history|rewrite published history|rewrite main|rewrite master|rebase main|rebase master|amend published|filter branch|squash main|reset hard ~ main|이력을 다시 쓰|히스토리를 다시|히스토리 재작성|重写历史|改写历史',
  },
  {
    id: 'mainbranch',
    domain: 'git',
    words:
      'main|main branch|master|trunk|master branch|default branch|protected branch|메인 브랜치|마스터 브랜치|main 브랜치|主分支|main 分支|主干',
  },
  {
    id: 'taskbranch',
    domain: 'git',
    words:
      'task branch|feature branch|topic branch|own branch|separate branch|new branch|branch task|work branch|작업 브랜치|기능 브랜치|피처 브랜치|功能分支|任务分支|特性分支',
    against:
      'directly on main|straight on main|straight to main|directly to main|directly on master|straight to master|commit to main|push to main|main에 직접|main 브랜치에 직접|直接提交到 main|直接推到主分支|直接提交到主分支',
  },
  {
    id: 'review',
    domain: 'review',
    words:
      'review|code review|reviewer|peer review|second person|second pair of eyes|approval by a second|four eyes|approve the pull request|리뷰|코드 리뷰|검토|审查|代码审查|评审|代码评审',
    against:
      'self merge|merge it myself|merge myself|merge my own|self approve|unreviewed|셀프 머지|혼자 머지|自己合并',
  },
  { id: 'pullrequest', domain: 'review', words: 'pull request|merge request|pr|prs|풀 리퀘스트|拉取请求|合并请求' },
  {
    id: 'approval',
    domain: 'approval',
    words: 'approval|approve|sign off|permission from|ask the team|ask first|clearance|승인|허가|결재|审批|批准|同意',
  },
  {
    id: 'ci',
    domain: 'ci',
    words:
      'ci|continuous integration|pipeline|build pipeline|pipeline step|green build|github action|status check|ci check|파이프라인|지속적 통합|流水线|持续集成',
  },
  {
    id: 'cired',
    domain: 'ci',
    words:
      'ci red|ci is red|ci is still red|build is broken|broken build|red build|red pipeline|ci fails|ci is failing|while ci is failing|failing ci|빌드가 깨진|ci가 실패|ci 실패|ci 没通过|ci 未通过|构建失败',
    against:
      'ci is green|ci green|green build|pipeline is green|ci passes|ci has passed|until green|after ci|ci가 통과|ci 통과|ci 通过',
  },
  {
    id: 'gitHook',
    domain: 'ci',
    words: 'pre commit hook|commit hook|pre push hook|git hook|pre commit|husky|커밋 훅|提交钩子',
    against: 'no verify|noverify',
  },
  {
    id: 'commitmsg',
    domain: 'git',
    words: 'commit message|conventional commit|commit format|커밋 메시지|提交信息|提交说明',
  },
  {
    id: 'dependency',
    domain: 'deps',
    words:
      'dependency|new package|npm package|third party library|external library|third party package|package|pip install|npm install|external package|new library|의존성|외부 라이브러리|패키지|依赖|第三方库|第三方包|外部库',
  },
  {
    id: 'pin',
    domain: 'deps',
    words:
      'pin|pinned|exact version|lockfile|lock file|locked version|version or digest|by digest|sha256 digest|fixed version|버전 고정|고정 버전|락파일|锁定版本|固定版本|版本锁定',
    against:
      'caret range|latest version range|floating version|any version|version star|unpinned|loose range|최신 버전으로 자동|最新版本范围|不固定版本|latest tag|latest image|latest image tag',
  },
  {
    id: 'stdlib',
    domain: 'deps',
    words: 'standard library|stdlib|built in module|builtin module|platform api|표준 라이브러리|标准库|内置模块',
  },
  {
    id: 'license',
    domain: 'license',
    words: 'license|licence|mit license|apache license|spdx|permissive license|라이선스|许可证|许可',
    against: 'gpl|agpl|sspl|copyleft|unlicensed',
  },
  {
    id: 'featureflag',
    domain: 'rollout',
    words:
      'feature flag|feature toggle|toggle|gradual rollout|canary|staged rollout|behind a flag|기능 플래그|점진적 배포|카나리|功能开关|特性开关|灰度|金丝雀',
    against: 'big bang|for everyone at once|to all users at once|한 번에 전체|一次性全量|全量上线',
  },
];

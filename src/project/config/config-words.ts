/** How hard the rules are enforced where an exit code is asked for. */
export const MODES = ['advisory', 'moderate', 'strict'] as const;
export type Mode = (typeof MODES)[number];

/** Who can be asked by `--llm`; `ollama` is a local server that speaks the protocol of the others. */
export const LLM_PROVIDERS = ['anthropic', 'openai', 'openai-compatible', 'ollama'] as const;
export type LlmProvider = (typeof LLM_PROVIDERS)[number];

/** From whose point of view an agent looks; of two that disagree the first counts, and who has no role comes last. */
export const AGENT_ROLES = ['security', 'architect', 'reviewer', 'qa', 'implementer'] as const;
export type AgentRole = (typeof AGENT_ROLES)[number];

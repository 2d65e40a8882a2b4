/** One kind of request that leads to a model. */
export interface DoorRoute {
  readonly methods: readonly string[];
  /** The whole path below the service's prefix; its group is a model that the path names. */
  readonly path: RegExp;
  /** The keys of its body that are passed on; undefined: it has no body. */
  readonly keys: ReadonlySet<string> | undefined;
  /** The body names the model. */
  readonly hasModel: boolean;
  /** A stream tells its usage only where the request wants that. */
  readonly asksForUsage: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** A version that a program puts before the path, where the prefix of the service has none. */
const VERSION = '^(?:/v\\d+(?:alpha\\d*|beta\\d*)?)?';

const post = (path: string, keys: string, more: Partial<DoorRoute> = {}): DoorRoute => ({
  methods: ['POST'],
  path: new RegExp(`${VERSION}${path}$`),
  keys: words(keys),
  hasModel: true,
  asksForUsage: false,
  ...more,
});

const SAMPLING = 'temperature top_p top_k min_p seed stop presence_penalty frequency_penalty repetition_penalty';

/**
 * What leads to models and to nothing else of an account, by OpenAI's, Anthropic's and Google's words. A key that is not
 * listed is left out: it may name another model, another price, stored content, or work that goes on after the answer.
 */
const ROUTES: readonly DoorRoute[] = [
  post(
    '/chat/completions',
    `model messages tools tool_choice parallel_tool_calls functions function_call stream stream_options ${SAMPLING}
     max_tokens max_completion_tokens logit_bias logprobs top_logprobs user response_format reasoning_effort reasoning
     thinking enable_thinking chat_template_kwargs verbosity store prediction prompt_cache_key prompt_cache_retention
     safety_identifier`,
    { asksForUsage: true },
  ),
  post(
    '/completions',
    `model prompt suffix stream stream_options ${SAMPLING} max_tokens logit_bias logprobs echo user`,
    { asksForUsage: true },
  ),
  post(
    '/responses(?:/compact)?',
    `model input instructions tools tool_choice parallel_tool_calls stream stream_options store include reasoning text
     temperature top_p max_output_tokens max_tool_calls truncation metadata user prompt_cache_key prompt_cache_retention
     safety_identifier client_metadata`,
  ),
  post(
    '/messages(?:/count_tokens)?',
    `model messages system tools tool_choice max_tokens stream temperature top_p top_k stop_sequences metadata thinking
     context_management output_config output_format cache_control`,
  ),
  post(
    '/models/([\\w.@~-]+):(?:generateContent|streamGenerateContent|countTokens)',
    `contents systemInstruction system_instruction tools toolConfig tool_config generationConfig generation_config
     safetySettings safety_settings`,
    { hasModel: false },
  ),
  {
    methods: ['GET', 'HEAD'],
    path: new RegExp(`${VERSION}/models(?:/([\\w.:@~-]+))?$`),
    keys: undefined,
    hasModel: false,
    asksForUsage: false,
  },
];

/** The route of a request and the model that its path names; else which half of the table it is not in. */
export function findRoute(
  method: string,
  path: string,
): { readonly route: DoorRoute; readonly named: string | undefined } | 'no path' | 'no method' {
  const plain = path.replace(/\/$/, '');
  const fitting = /^(?:\/[\w.:@~-]+)+$/.test(plain) && !/\/\.{1,2}(?:\/|$)/.test(plain) ? ROUTES : [];
  const there = fitting.filter((route) => route.path.test(plain));
  const route = there.find(({ methods }) => methods.includes(method));
  if (route === undefined) return there.length === 0 ? 'no path' : 'no method';
  return { route, named: route.path.exec(plain)?.[1] };
}

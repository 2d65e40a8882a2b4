import { userInfo } from 'node:os';
import { cleanEnvironment, PROXY_VARIABLES } from '../../base/environment-variables.ts';
import { Problem } from '../../base/problem.ts';

/**
 * Cleans the environment of this process, so that everything in it and every program it starts sees the same folders and
 * the same PATH, and has calls of its own take the user's proxy. Gives the problem that must be put right first.
 */
export async function prepareEnvironment(): Promise<Problem | undefined> {
  if (process.platform === 'win32') return undefined;
  try {
    const cleaned = cleanEnvironment(process.env, () => userInfo().homedir);
    for (const name of Object.keys(process.env))
      if (cleaned[name] === undefined) Reflect.deleteProperty(process.env, name);
    for (const [name, value] of Object.entries(cleaned)) if (process.env[name] !== value) process.env[name] = value;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  if (PROXY_VARIABLES.some((name) => process.env[name] !== undefined)) await useProxy();
  return undefined;
}

/** `fetch` asks no proxy by itself; servers on this machine are asked without one. Node.js 22 cannot do it. */
async function useProxy(): Promise<void> {
  const { setGlobalProxyFromEnv } = (await import('node:http')) as {
    setGlobalProxyFromEnv?: (env: NodeJS.ProcessEnv) => void;
  };
  const excepted = process.env['no_proxy'] ?? process.env['NO_PROXY'] ?? '';
  const { NO_PROXY: _upper, ...others } = process.env;
  setGlobalProxyFromEnv?.({
    ...others,
    no_proxy: [excepted, 'localhost', '127.0.0.1', '[::1]'].filter(Boolean).join(','),
  });
}

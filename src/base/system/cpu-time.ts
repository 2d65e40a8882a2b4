/** Milliseconds of CPU that this process has used; unlike a clock's, they do not grow with what else the machine does. */
export function readCpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

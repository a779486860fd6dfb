/** How much is logged, least to most quiet. Apart from `log.ts`, so that parsing options loads no logger. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * Identifies the code that makes the demonstration directory: cached files of other code are not used. Undefined when
 * running from sources, which may change at any time: then nothing is cached. A build replaces this module by one with a
 * hash: see `bundleDemonstration.ts`.
 */
export const demonstrationBuild = undefined as string | undefined

export function isBuildStale(root: string): boolean;
export function publishBuild(root: string, made: string, hash: string): void;
export function sourceHash(root: string): string;

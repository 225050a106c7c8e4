interface ImportMeta {
  /** What vite.config.ts fills in. */
  readonly env: { readonly GATEWAY: string }
}

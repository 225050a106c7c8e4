/** The pages of a service for people, by their paths. */
export const pages = { console: "/console/", docs: "/v1/docs", demo: "/" } as const

export type Page = keyof typeof pages

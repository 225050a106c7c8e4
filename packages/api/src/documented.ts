/** Texts of an endpoint in the API description. */
import { Context } from "effect"
import { OpenApi } from "effect/http-api"
import { Access } from "./access.ts"

export const documented = (summary: string, description?: string): Context.Context<never> =>
  OpenApi.annotations({ summary, description })

/** The same, and the endpoint needs a manager's credential. */
export const forManagers = (summary: string, description?: string): Context.Context<never> =>
  Context.add(documented(summary, description), Access, "manager")

/** The same, and the endpoint needs no credential, but one of the service's own pages. */
export const forVisitors = (summary: string, description?: string): Context.Context<never> =>
  Context.add(documented(summary, description), Access, "visitor")

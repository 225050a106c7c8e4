/** The contract of the service as types: what each call takes and answers. At run time there is nothing of it. */
import type { Route } from "@postcode/client"

export type { DataOf, InputOf, Route } from "@postcode/client"

/** Calls that change nothing, and can so be repeated. */
export type ReadRoute = Extract<Route, `GET ${string}`>

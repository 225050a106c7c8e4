/** The contract as types: input and output of each call. It has no runtime code. */
import type { Route } from "@postcode/client"

export type { DataOf, InputOf, Route } from "@postcode/client"

/** Calls that only read, and can be repeated. */
export type ReadRoute = Extract<Route, `GET ${string}`>

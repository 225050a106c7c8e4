// A paid lookup with each generated client: node use.js URL KEY CODE
import createOpenapiFetch from "openapi-fetch"
import { createClient } from "./generated/hey-api/client/index.ts"
import { lookupSingle } from "./generated/hey-api/sdk.gen.ts"
import type { paths } from "./generated/openapi-typescript.ts"
import { Api } from "./generated/swagger-typescript-api.ts"

const [baseUrl = "", key = "", code = ""] = process.argv.slice(2)
const query = { code, level: 2 as const }
const headers = { "X-API-Key": key }

const openapiFetch = createOpenapiFetch<paths>({ baseUrl, headers })
const first = await openapiFetch.GET("/v1/lookup", { params: { query } })
const second = await lookupSingle({ client: createClient({ baseUrl, auth: key }), query })
const third = await new Api({ baseUrl, baseApiParams: { headers } }).v1.lookupSingle(query)
const names = [first.data, second.data, third.data].map((answer) => answer?.data.administrative_address?.state_name)
process.stdout.write(JSON.stringify(names))

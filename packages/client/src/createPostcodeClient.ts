import { followWith } from "./follow.ts"
import { itemsOf } from "./itemsOf.ts"
import type { PostcodeClient } from "./PostcodeClient.ts"
import { type ClientOptions, senderOf } from "./send.ts"

/**
 * Creates a client of the service. It holds no connection and needs no closing.
 *
 * @throws TypeError if an option is invalid; the message repeats no credential
 */
export const createPostcodeClient = (options: ClientOptions): PostcodeClient => {
  const send = senderOf(options)
  // The types of the contract apply from here on.
  const request = send as PostcodeClient["request"]
  return {
    autocomplete: (query, options) => request("GET /v1/search/autocomplete", { query }, options),
    reverse: (query, options) => request("GET /v1/search/reverse", { query }, options),
    reverseBatch: (body, options) => request("POST /v1/search/reverse/batch", { body }, options),
    nearby: (query, options) => request("GET /v1/search/nearby", { query }, options),
    findAddress: (query, options) => request("GET /v1/search/address", { query }, options),
    findAddressBatch: (body, options) => request("POST /v1/search/address/batch", { body }, options),
    lookup: (query, options) => request("GET /v1/lookup", { query }, options),
    lookupBatch: (body, options) => request("POST /v1/lookup/batch", { body }, options),
    assemble: (body, options) => request("POST /v1/assembly/assemble", { body }, options),
    disassemble: (query, options) => request("GET /v1/assembly/disassemble", { query }, options),
    states: (options) => request("GET /v1/reference/states", {}, options),
    lgas: (query, options) => request("GET /v1/reference/lgas", { query }, options),
    districts: (query, options) => request("GET /v1/reference/districts", { query }, options),
    areas: (query, options) => request("GET /v1/reference/areas", { query }, options),
    directory: {
      changes: (query, options) => request("GET /v1/directory/changes", { query }, options),
      follow: followWith(request)
    },
    startSession: (body, options) => request("POST /v1/widget/session", { body }, options),
    bookmarks: (options) => request("GET /v1/widget/bookmarks", {}, options),
    recordSelection: (body, options) => request("POST /v1/widget/selected", { body }, options),
    request,
    items: itemsOf(send) as PostcodeClient["items"]
  }
}

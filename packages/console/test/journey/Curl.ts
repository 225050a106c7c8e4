/** Runs commands that the console shows, as they stand there, in a shell that has the key. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"

export interface CurlAnswer {
  readonly status: number
  /** The error's code; undefined for a success. */
  readonly code: string | undefined
}

/** @param folder where there is a `.curlrc` by which curl writes the status behind the answer; see `curlSettings` */
export const runCurl = async (command: string, key: string, folder: string): Promise<CurlAnswer> => {
  const env = { PATH: process.env.PATH, POSTCODE_KEY: key, CURL_HOME: folder, HOME: folder }
  const { stdout } = await promisify(execFile)("sh", ["-c", command], { env })
  const [, body = "", status] = /^(.*)\n(\d{3})$/s.exec(stdout) ?? []
  const { error } = JSON.parse(body) as { readonly error?: { readonly code: string } }
  return { status: Number(status), code: error?.code }
}

export const curlSettings = { ".curlrc": 'silent\nwrite-out = "\\n%{http_code}"\n' }

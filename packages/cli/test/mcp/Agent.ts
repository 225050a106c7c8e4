/** An agent of these tests: the SDK's own client, which checks every result against the tool's schema. */
import { Client, type ClientOptions } from "@modelcontextprotocol/client"
import { InMemoryTransport, type McpServer } from "@modelcontextprotocol/server"

/** What a tool answered. */
export interface Outcome {
  readonly isError: boolean
  readonly text: string
  readonly output: unknown
}

export interface Agent extends AsyncDisposable {
  readonly client: Client
  readonly call: (tool: string, query?: Record<string, unknown>) => Promise<Outcome>
  readonly toolNames: () => Promise<ReadonlyArray<string>>
}

type ClientTransport = Parameters<Client["connect"]>[0]

/** An agent in this process. */
export const agentOf = async (server: McpServer): Promise<Agent> => {
  const [here, there] = InMemoryTransport.createLinkedPair()
  await server.connect(there)
  return await connectAgent(here)
}

export const connectAgent = async (transport: ClientTransport, options: ClientOptions = {}): Promise<Agent> => {
  const client = new Client({ name: "test", version: "1" }, options)
  await client.connect(transport)
  return {
    client,
    call: async (name, query = {}) => {
      const { content, isError = false, structuredContent } = await client.callTool({ name, arguments: query })
      const [first] = content
      return { isError, text: first?.type === "text" ? first.text : "", output: structuredContent }
    },
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    [Symbol.asyncDispose]: () => client.close()
  }
}

/**
 * Two console screens as a React application, for the benchmark only. Everything independent of a framework is the
 * console's: style sheets, client, calculations.
 */
import "../../../../packages/console/src/style.css"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { createRoot } from "react-dom/client"
import { createHashRouter } from "react-router"
import { RouterProvider } from "react-router/dom"
import { callOptions } from "./hooks/useCall.ts"
import { Loading } from "./kit/Loading.tsx"
import { Entrance } from "./shell/Entrance.tsx"
import { Frame } from "./shell/Frame.tsx"

const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })
// The account is loaded in parallel with the screen's chunk.
void queries.prefetchQuery(callOptions("GET /v1/admin/account", {}))

const router = createHashRouter([
  {
    path: "/organizations/:organization",
    Component: Frame,
    HydrateFallback: () => (
      <Entrance>
        <Loading />
      </Entrance>
    ),
    children: [
      {
        path: "keys",
        lazy: () => import("./screens/KeysScreen.tsx").then(({ KeysScreen }) => ({ Component: KeysScreen }))
      },
      {
        path: "usage",
        lazy: () => import("./screens/UsageScreen.tsx").then(({ UsageScreen }) => ({ Component: UsageScreen }))
      }
    ]
  }
])

createRoot(document.body).render(
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>
)

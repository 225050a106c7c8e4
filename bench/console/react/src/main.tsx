/**
 * Two screens of the console as an application on React would have them, for the benchmark alone. What knows no framework
 * is the console's own: its style sheets, its client, its sums.
 */
import "../../../../packages/console/src/style.css"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { createRoot } from "react-dom/client"
import { createHashRouter } from "react-router"
import { RouterProvider } from "react-router/dom"
import { Entrance } from "./Entrance.tsx"
import { Frame } from "./Frame.tsx"
import { Loading } from "./Loading.tsx"
import { callOptions } from "./useCall.ts"

const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })
// Who is signed in is asked for while the screen's script is loaded.
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
      { path: "keys", lazy: () => import("./KeysScreen.tsx").then(({ KeysScreen }) => ({ Component: KeysScreen })) },
      { path: "usage", lazy: () => import("./UsageScreen.tsx").then(({ UsageScreen }) => ({ Component: UsageScreen })) }
    ]
  }
])

createRoot(document.body).render(
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>
)

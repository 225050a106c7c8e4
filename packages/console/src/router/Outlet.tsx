/** Shows the screen of the address after its chunk is loaded. */
import { useEffect, useErrorBoundary, useState } from "preact/hooks"
import { Loading } from "../kit/feedback/Loading.tsx"
import { Notice } from "../kit/feedback/Notice.tsx"
import { Button } from "../kit/forms/Button.tsx"
import { PageHeader } from "../kit/layout/PageHeader.tsx"
import { may } from "../state/permissions.ts"
import { path } from "./address.ts"
import { match, type Screen, screenAt, type View } from "./Screen.ts"

export interface OutletProps {
  readonly screens: ReadonlyArray<Screen>
}

/** The screen, or the not-found message. */
export const Outlet = ({ screens }: OutletProps) => {
  const found = screenAt(screens, path.value)
  if (found === undefined || (found.call !== undefined && !may(found.call))) return <NotFound />
  return <Shown key={path.value} screen={found} params={match(found.path, path.value) ?? {}} />
}

const Shown = ({ params, screen }: { readonly screen: Screen; readonly params: Readonly<Record<string, string>> }) => {
  const [loaded, setLoaded] = useState<{ readonly Component: View<never> }>()
  const [hasFailed, setFailed] = useState(false)
  const [fault] = useErrorBoundary((error) => reportError(error))
  useEffect(() => {
    screen.load().then(
      (Component) => setLoaded({ Component }),
      () => setFailed(true)
    )
  }, [screen])
  if (fault !== undefined) return <ScreenFailed />
  if (hasFailed) return <Stale />
  return loaded === undefined ? <Loading /> : <loaded.Component params={params as never} />
}

/** A screen without permission looks like a missing one. */
const NotFound = () => (
  <>
    <PageHeader title="Not found" lead="This page does not exist, or your role has no access to it." />
    <p>
      <a href="#/">Go to the home page</a>
    </p>
  </>
)

/** An error boundary: a failed screen does not affect the rest of the console. */
const ScreenFailed = () => (
  <>
    <PageHeader title="This page failed" />
    <Notice tone="bad" title="An error occurred in the console">
      <p>No data was changed. Other pages still work.</p>
      <Button onClick={() => location.reload()}>Reload</Button>
    </Notice>
  </>
)

/** After the service is updated, the chunks of the previous build are gone. */
const Stale = () => (
  <>
    <PageHeader title="This page did not load" />
    <Notice tone="warning" title="The console was updated, or there is no connection">
      <p>Reload the console. Input on other pages that you have not sent is lost.</p>
      <Button onClick={() => location.reload()}>Reload</Button>
    </Notice>
  </>
)

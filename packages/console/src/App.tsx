/** The console: its screens after sign-in, the sign-in page before. */

import { OpenedDialog } from "./kit/dialogs/OpenedDialog.tsx"
import { Announcement } from "./kit/feedback/Announcement.tsx"
import { Loading } from "./kit/feedback/Loading.tsx"
import { ProblemNotice } from "./kit/feedback/ProblemNotice.tsx"
import { PageHeader } from "./kit/layout/PageHeader.tsx"
import { joinPath, path, unsubscribePath } from "./router/address.ts"
import { Outlet } from "./router/Outlet.tsx"
import { screen } from "./router/Screen.ts"
import { screens } from "./screens.ts"
import { Entrance } from "./shell/Entrance.tsx"
import { Frame } from "./shell/Frame.tsx"
import { SignIn } from "./shell/SignIn.tsx"
import { SignInDialog } from "./shell/SignInDialog.tsx"
import { account, begin, hasSessionEnded, signInState } from "./state/session.ts"

/** The root component. */
export const App = () => (
  <>
    <Page />
    <OpenedDialog />
    {hasSessionEnded.value && <SignInDialog />}
    <Announcement />
  </>
)

const Page = () => {
  const state = signInState.value
  if (path.value === joinPath || path.value === unsubscribePath) {
    return (
      <Entrance>
        <Outlet screens={linkScreens} />
      </Entrance>
    )
  }
  if (account.value !== undefined) {
    return (
      <Frame>
        <Outlet screens={screens} />
      </Frame>
    )
  }
  return (
    <Entrance>
      {state === "asking" && <Loading />}
      {state === "known" && <SignIn />}
      {state instanceof Error && (
        <>
          <PageHeader title="The console cannot start" />
          <ProblemNotice problem={state} onRetry={begin} />
        </>
      )}
    </Entrance>
  )
}

/** The pages of links in mail, for anyone who has the link. */
const linkScreens = [
  screen(joinPath, undefined, () => import("./screens/accounts/JoinScreen.tsx").then(({ JoinScreen }) => JoinScreen)),
  screen(unsubscribePath, undefined, () =>
    import("./screens/mail/UnsubscribeScreen.tsx").then(({ UnsubscribeScreen }) => UnsubscribeScreen)
  )
]

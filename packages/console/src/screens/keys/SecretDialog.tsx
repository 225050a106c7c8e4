import type { ComponentChildren } from "preact"
import { curlOf } from "../../client/curl.ts"
import { sandboxUnit } from "../../client/examples.ts"
import { useExamples } from "../../hooks/useExamples.ts"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { OnceDialog } from "../../kit/dialogs/OnceDialog.tsx"
import { Loading } from "../../kit/feedback/Loading.tsx"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { instance } from "../../state/instance.ts"
import type { ApiKey } from "./keyLabels.tsx"

/** A new key: no other response contains the secret. */
interface NewKey extends ApiKey {
  readonly secret: string
}

export interface SecretDialogProps {
  readonly apiKey: NewKey
  /** An additional message. */
  readonly children?: ComponentChildren
  /** Closes the dialog and discards the secret. */
  readonly onClose: () => unknown
}

/** Shows the secret of a new key. */
export const SecretDialog = ({ apiKey, children, onClose }: SecretDialogProps) => (
  <OnceDialog
    title={`The key “${apiKey.name}”`}
    loss="After you close this, the key cannot be shown again. If you lose it, rotate or revoke it."
    onClose={onClose}
  >
    {(onCopied) => (
      <>
        <Notice tone="warning" title="The key is shown only once">
          <p>The service stores only a hash. Store the key with your other secrets.</p>
        </Notice>
        {apiKey.warning !== undefined && (
          <Notice tone="warning" title="No page can use this key">
            <p>It has no origins: add those of your pages with “Change”.</p>
          </Notice>
        )}
        {children}
        <div class="stack" onCopy={onCopied}>
          <Shown title="Key">
            <Copyable value={apiKey.secret} label="the key" isBlock onCopied={onCopied} />
          </Shown>
          <Shown title="For a .env file">
            <Copyable value={`POSTCODE_KEY=${apiKey.secret}`} label="the line" isBlock onCopied={onCopied} />
          </Shown>
        </div>
        <Shown title="A first request, in a shell with this variable">
          <FirstCall apiKey={apiKey} />
        </Shown>
      </>
    )}
  </OnceDialog>
)

const Shown = ({ children, title }: { readonly children: ComponentChildren; readonly title: string }) => (
  <div>
    <h3>{title}</h3>
    {children}
  </div>
)

/** A command that works unchanged: a unit that the key sees at its level, or a postcode of the current directory. */
const FirstCall = ({ apiKey: { environment, max_level, origins, scopes } }: { readonly apiKey: ApiKey }) => {
  const examples = useExamples()
  // The command must not change while the user copies it.
  if (examples === undefined) return <Loading>Loading a postcode</Loading>
  const [origin] = origins
  const code = environment === "test" && instance.value?.hasSandbox ? sandboxUnit : examples.code
  const path = scopes.includes("lookup")
    ? `/v1/lookup?code=${code}&level=${max_level}`
    : `/v1/search/autocomplete?q=${examples.code.slice(0, 2)}`
  const headers = origin === undefined ? {} : { Origin: origin }
  return (
    <Copyable value={curlOf({ method: "GET", url: location.origin + path, headers })} label="the command" isBlock />
  )
}

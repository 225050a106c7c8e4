import { type Signal, useSignal } from "@preact/signals"
import { testKeyFault, testKeyIn } from "../../client/testKey.ts"
import { useAction } from "../../hooks/useAction.ts"
import { announce } from "../../kit/feedback/announce.ts"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { TextField } from "../../kit/forms/Field.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { organization as looked } from "../../state/organization.ts"
import { may } from "../../state/permissions.ts"
import { makeOwnTestKey } from "../keys/ownTestKey.ts"

export interface KeySectionProps {
  readonly organization: string
  /** The key for requests; empty while there is no usable one. */
  readonly value: Signal<string>
}

/** Takes or creates a test key. Live keys are refused, since requests here must cost nothing. */
export const KeySection = ({ organization, value }: KeySectionProps) => {
  const typed = useSignal("")
  const level = looked.value?.granted_level
  const take = {
    get value() {
      return typed.value
    },
    set value(text) {
      typed.value = text
      value.value = testKeyIn(text)
    }
  }
  const make = useAction(async () => {
    const key = { name: "Try it", scopes: ["search", "lookup"], max_level: level ?? 1 } as const
    const secret = await makeOwnTestKey(organization, key)
    take.value = secret
    announce("The key was created and filled in")
  })
  return (
    <Section title="Test key" lead="It stays in this page, and is forgotten when you leave the page.">
      <TextField label="Key" type="password" value={take} error={testKeyFault(typed.value)} isOptional />
      {may("createKey") && (
        <div class="actions">
          <Button icon="key" isBusy={make.isBusy} isDisabled={level === undefined} onClick={make.run}>
            Create a test key for one hour
          </Button>
        </div>
      )}
      <ProblemNotice problem={make.problem} onRetry={make.run} />
    </Section>
  )
}

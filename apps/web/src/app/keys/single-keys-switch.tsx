import { Switch } from '#ui/forms/switch.tsx'
import { switchSingleKeys, useSingleKeys } from './shortcuts.ts'

export const SingleKeysSwitch = () => (
  <Switch
    label="Single-key shortcuts"
    hint="Such as n, / and ?. Turn them off if you dictate, or press keys by accident."
    checked={useSingleKeys()}
    onChange={switchSingleKeys}
  />
)

import { destinations } from '#app/frame/navigation.tsx'
import { Kbd } from '#ui/buttons/kbd.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useSingleKeys } from './shortcuts.ts'
import { SingleKeysSwitch } from './single-keys-switch.tsx'

const isMac = /Mac|iPhone|iPad/u.test(navigator.userAgent)

type Shortcut = { keys: string[]; does: string }

const always: readonly Shortcut[] = [
  { keys: [isMac ? '⌘' : 'Ctrl', 'K'], does: 'Search or run a command' },
  { keys: ['F8'], does: 'Go to notifications' },
  { keys: ['Esc'], does: 'Close' },
]

const single: readonly Shortcut[] = [
  ...destinations.map(({ key, name }) => ({ keys: ['g', key], does: `Go to ${name}` })),
  { keys: ['n'], does: 'New export, or job' },
  { keys: ['/'], does: 'Filter the list' },
  { keys: ['r'], does: 'Show activity' },
  { keys: ['?'], does: 'Show keyboard shortcuts' },
]

export const KeysDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog onClose={onClose} title="Keyboard">
    <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-2 text-sm">
      {[...always, ...(useSingleKeys() ? single : [])].map(({ keys: pressed, does }) => (
        <div key={does} className="contents">
          <dt>{does}</dt>
          <dd className="flex justify-end gap-1">
            {pressed.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
    <div className="mt-4 border-t border-line pt-3">
      <SingleKeysSwitch />
    </div>
  </Dialog>
)

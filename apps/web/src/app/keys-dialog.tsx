import { Dialog } from '#ui/overlays/dialog.tsx'
import { Kbd } from '#ui/kbd.tsx'
import { destinations } from './navigation.tsx'

const isMac = /Mac|iPhone|iPad/u.test(navigator.userAgent)

const keys: readonly { keys: string[]; does: string }[] = [
  { keys: [isMac ? '⌘' : 'Ctrl', 'K'], does: 'Open the command palette' },
  ...destinations.map(({ key, name }) => ({ keys: ['g', key], does: `Go to ${name}` })),
  { keys: ['n'], does: 'Go to the form of the page' },
  { keys: ['/'], does: 'Filter the list' },
  { keys: ['r'], does: 'Show what runs' },
  { keys: ['?'], does: 'List the keys' },
  { keys: ['F8'], does: 'Go to the messages' },
  { keys: ['Esc'], does: 'Close what is open' },
]

/** The list of keys. */
export const KeysDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog open onClose={onClose} title="Keyboard">
    <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-2 text-sm">
      {keys.map(({ keys: pressed, does }) => (
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
  </Dialog>
)

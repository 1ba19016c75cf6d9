import { useState } from 'react'
import { Button } from '#ui/buttons/button.tsx'
import { lazyDialog } from '#ui/overlays/lazy.tsx'

const HostConfigurationDialog = lazyDialog(
  async () => (await import('./host-configuration-dialog.tsx')).HostConfigurationDialog,
)

export const HostConfigurationButton = (props: { exportId: string; domain: string }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Host configuration…</Button>
      {open && <HostConfigurationDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

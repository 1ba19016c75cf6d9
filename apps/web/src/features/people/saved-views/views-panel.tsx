import type { SavedView, SavedViewList } from '@docket/api-types/saved-views'
import { useQuery } from '@tanstack/react-query'
import { Plus, Check, Link2, Pencil, Save, Trash2 } from 'lucide-react'
import { useState, useRef } from 'react'
import { flushSync } from 'react-dom'
import { printListSearch, type ListSearch } from '#lib/address/list-search.ts'
import { findErrorAt } from '#lib/api/api-error.ts'
import { Button } from '#ui/buttons/button.tsx'
import { copyText } from '#ui/copying/copy.ts'
import { bindText, Form, FormFailure, TextField } from '#ui/forms/form.tsx'
import { ReadState, Skeleton } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { toastEnd, toastUndo } from '#ui/live/use-write.ts'
import { MenuItem, Menu } from '#ui/overlays/menu.tsx'
import { savedViewsQuery, useSaveView, useChangeView, useDeleteView } from './saved-views.queries.ts'
import { toViewQuery, readViewSearch } from './view-search.ts'

type ViewNameFormProps = {
  initialName?: string
  error: unknown
  busy: boolean
  onSave: (name: string) => void
  onCancel: () => void
}

const ViewNameForm = ({ initialName = '', error, busy, onSave, onCancel }: ViewNameFormProps) => {
  const [name, setName] = useState(initialName)
  return (
    <Form onSubmit={() => onSave(name)} busy={busy} className="grid gap-2 p-2">
      <TextField
        label="Name of the view"
        autoFocus
        dir="auto"
        maxLength={80}
        {...bindText(name, setName)}
        error={findErrorAt(error, 'name')}
      />
      <FormFailure error={error} fields={['name']} />
      <div className="flex justify-end gap-2">
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={busy}>
          Save
        </Button>
      </div>
    </Form>
  )
}

const copyViewAddress = (view: SavedView) => {
  const address = `${location.origin}/${view.list}${printListSearch(readViewSearch(view))}`
  return copyText(address, 'Address copied. People who open it only see records they have access to.')
}

type ViewRowProps = { view: SavedView; query: string; isCurrent: boolean; hide: () => void }

const ViewRow = ({ view, query, isCurrent, hide }: ViewRowProps) => {
  const change = useChangeView()
  const deletion = useDeleteView()
  const save = useSaveView()
  const [renaming, setRenaming] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const stop = () => {
    flushSync(() => setRenaming(false))
    change.reset()
    row.current?.querySelector('a')?.focus()
  }
  const remove = () => {
    const neighbour = row.current?.nextElementSibling ?? row.current?.previousElementSibling
    neighbour?.querySelector('a')?.focus()
    toastUndo(deletion.mutateAsync(view), `Deleted the view “${view.name}”.`, () =>
      save.mutateAsync({ list: view.list, name: view.name, query: view.query }),
    )
  }
  const update = () =>
    toastEnd(change.mutateAsync({ viewId: view.viewId, query }), `“${view.name}” has the filters of this page now.`)
  const refusedUpdate = isCurrent
    ? 'It already has these filters.'
    : query === ''
      ? 'Filter or sort the list first.'
      : null
  if (renaming)
    return (
      <li ref={row}>
        <ViewNameForm
          initialName={view.name}
          error={change.error}
          busy={change.isPending}
          onSave={(name) => change.mutate({ viewId: view.viewId, name }, { onSuccess: stop })}
          onCancel={stop}
        />
      </li>
    )
  return (
    <li ref={row} className="flex items-center gap-1">
      <Link
        to={`/${view.list}`}
        // The list drops filters that it does not offer.
        search={readViewSearch(view) as never}
        onClick={hide}
        className="flex h-8 min-w-0 flex-1 items-center gap-2.5 rounded-sm px-2.5 text-sm hover:bg-hover focus-visible:outline-offset-[-2px]"
      >
        <Check className={`size-4 shrink-0 text-muted ${isCurrent ? '' : 'invisible'}`} aria-hidden="true" />
        <bdi className="truncate" title={view.name}>
          {view.name}
        </bdi>
        {isCurrent && <span className="sr-only">(on this page)</span>}
      </Link>
      <Menu label={`Actions for the view ${view.name}`}>
        <MenuItem icon={<Save />} refused={refusedUpdate} onSelect={update}>
          Update to these filters
        </MenuItem>
        <MenuItem icon={<Pencil />} onSelect={() => setRenaming(true)}>
          Rename
        </MenuItem>
        <MenuItem icon={<Link2 />} onSelect={() => void copyViewAddress(view)}>
          Copy address
        </MenuItem>
        <MenuItem icon={<Trash2 />} danger onSelect={remove}>
          Delete
        </MenuItem>
      </Menu>
    </li>
  )
}

type ViewsPanelProps = {
  list: SavedViewList
  search: ListSearch
  views: readonly SavedView[] | undefined
  current: SavedView | undefined
  hide: () => void
}

const explainNoSave = (query: string, current: SavedView | undefined): string | null => {
  if (query === '') return 'Filter or sort the list first.'
  return current ? `You saved this view as “${current.name}”.` : null
}

export const ViewsPanel = ({ list, search, views, current, hide }: ViewsPanelProps) => {
  const reading = useQuery(savedViewsQuery)
  const save = useSaveView()
  // Null until it was open. The button that replaces the form gets the focus.
  const [naming, setNaming] = useState<boolean | null>(null)
  const query = toViewQuery(search)
  const stop = () => {
    setNaming(false)
    save.reset()
  }
  return (
    <>
      <ReadState query={reading} waiting={<Skeleton className="m-2 h-16" />} />
      {views && views.length > 0 && (
        <ul aria-label="Saved views">
          {views.map((view) => (
            <ViewRow key={view.viewId} {...{ view, query, hide }} isCurrent={view === current} />
          ))}
        </ul>
      )}
      {views?.length === 0 && !naming && <p className="px-2.5 py-2 text-sm text-muted">No saved views yet.</p>}
      {naming ? (
        <ViewNameForm
          error={save.error}
          busy={save.isPending}
          onSave={(name) => save.mutate({ list, name, query }, { onSuccess: stop })}
          onCancel={stop}
        />
      ) : (
        <div className="mt-1 border-t border-line pt-1">
          <Button
            icon={Plus}
            variant="quiet"
            autoFocus={naming === false}
            className="w-full justify-start px-2.5"
            refused={explainNoSave(query, current)}
            onClick={() => setNaming(true)}
          >
            Save this view…
          </Button>
        </div>
      )}
    </>
  )
}

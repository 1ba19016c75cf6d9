import type { ChangeConnection, ConnectionSettings, ProgressScale } from '@docket/api-types/connections'
import { X } from 'lucide-react'
import { isolateText } from '#lib/text/format.ts'
import { IconButton } from '#ui/buttons/button.tsx'
import { SelectField, Options } from '#ui/forms/form.tsx'
import { toastEnd } from '#ui/live/use-write.ts'
import { useChangeConnection } from './connections.queries.ts'

const scales = { percent: 'Percent', fraction: 'Fraction of 1' } as const

/** What Docket learnt about the answers of a service, or was told, with the means to correct it. */
export const LearntAnswers = ({ settings }: { settings: ConnectionSettings }) => {
  const { connectionId, name, statusMeanings = {}, progressScale } = settings
  const change = useChangeConnection()
  const save = (changes: Pick<ChangeConnection, 'statusMeanings' | 'progressScale'>) =>
    toastEnd(change.mutateAsync({ connectionId, ...changes }), `Saved ${isolateText(name)}.`)
  const words = Object.entries(statusMeanings)
  const learnt = progressScale?.learnt ? scales[progressScale.learnt].toLowerCase() : 'not known yet'
  return (
    <div className="mt-4 grid items-start gap-4 sm:grid-cols-2">
      <SelectField
        label="Progress from 0 to 1"
        hint="Docket learns the scale from exports. Choose one if Docket is wrong."
        value={progressScale?.chosen ?? ''}
        onChange={({ target }) => save({ progressScale: (target.value || null) as ProgressScale | null })}
      >
        <Options of={[['', `Automatic: ${learnt}`], ...Object.entries(scales)]} />
      </SelectField>
      {words.length > 0 && (
        <ul aria-label="Meanings of statuses" className="text-sm">
          {words.map(([word, meaning]) => (
            <li key={word} className="flex items-center justify-between gap-2">
              <span className="min-w-0 wrap-anywhere">
                <bdi className="font-mono text-xs">{word}</bdi> <span className="text-muted">means {meaning}</span>
              </span>
              <IconButton
                icon={X}
                label={`Forget ${word}`}
                onClick={() => save({ statusMeanings: Object.fromEntries(words.filter(([other]) => other !== word)) })}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

import { Plus } from 'lucide-react'
import { useState } from 'react'
import { PromptEditor } from '#features/records/agent-jobs/saved-prompts/prompt-editor.tsx'
import { SavedPromptList } from '#features/records/agent-jobs/saved-prompts/saved-prompt-list.tsx'
import { useLocalService } from '#features/service/connections/connection.queries.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useConnections, useStartRefusal } from '#ui/connections/connections.tsx'
import { usePromptRefusal } from '#ui/forms/use-refusal.ts'
import { AgentJobsHeader } from './agent-jobs-header.tsx'

export const SavedPromptsPage = () => {
  const refused = usePromptRefusal()
  const local = useLocalService()
  const isAlone = useConnections()?.length === 1
  const noAgent =
    isAlone && local?.agent?.configured === false ? 'No agent is configured. Set AGENT_COMMAND first.' : null
  const refusedRun = useStartRefusal(true) ?? refused ?? noAgent
  const [creating, setCreating] = useState(false)
  const create = (
    <Button icon={Plus} variant="primary" refused={refused} onClick={() => setCreating(true)}>
      New prompt
    </Button>
  )
  return (
    <>
      <AgentJobsHeader actions={create}>Prompts that your team uses again.</AgentJobsHeader>
      <SavedPromptList refused={refused} refusedRun={refusedRun} projectIds={local?.projectIds ?? []} create={create} />
      {creating && <PromptEditor prompt={null} onClose={() => setCreating(false)} />}
    </>
  )
}

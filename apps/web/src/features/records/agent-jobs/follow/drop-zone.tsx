import { FileText } from 'lucide-react'
import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import { Button } from '#ui/buttons/button.tsx'

type FileProps = { onFile: (file: File) => void; refused: string | null }

const holdsFile = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/** Takes one file that is dropped on its content. Leaves dragged text to the fields. */
export const DropZone = ({ onFile, refused, children }: FileProps & { children: ReactNode }) => {
  const [over, setOver] = useState(false)
  return (
    <div
      onDragOver={(event) => {
        if (!holdsFile(event)) return
        // Without this, the browser would open the file.
        event.preventDefault()
        if (refused === null) setOver(true)
      }}
      onDragLeave={(event) => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false)
      }}
      onDrop={(event) => {
        if (!holdsFile(event)) return
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file !== undefined && refused === null) onFile(file)
      }}
      className={over ? 'rounded-md outline-2 outline-offset-4 outline-accent outline-dashed' : ''}
    >
      {children}
    </div>
  )
}

/** Button that takes one text or CSV file. */
export const FileButton = ({ onFile, refused }: FileProps) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button size="md" refused={refused} onClick={() => input.current?.click()}>
        <FileText className="size-4" aria-hidden="true" />
        Add a file
      </Button>
      <input
        ref={input}
        type="file"
        accept=".txt,.csv,.tsv,.json,text/*"
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // The same file may be chosen again after it was mended.
          event.target.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
    </>
  )
}

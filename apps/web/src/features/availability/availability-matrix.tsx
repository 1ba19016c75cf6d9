import type { DeploymentKind } from '@docket/api-types/status'
import { AvailabilityMark } from './availability-mark.tsx'
import { deploymentKinds, featureAvailability } from './feature-availability.ts'

const columnClass = (own: boolean) => (own ? 'bg-accent-soft' : '')

/** Features by deployment kind; marks the reader's own kind. */
export const AvailabilityMatrix = ({ own }: { own: DeploymentKind | null }) => (
  <div className="panel overflow-hidden">
    <table className="w-full table-fixed border-collapse text-left text-[0.6875rem] leading-4 sm:text-base">
      <caption className="sr-only">Features by deployment kind</caption>
      <thead>
        <tr className="border-b border-line align-bottom">
          <th scope="col" className="w-[31%] py-3 pl-3 font-medium text-muted sm:px-5">
            Feature
          </th>
          {deploymentKinds.map(({ kind, name }) => (
            <th key={kind} scope="col" className={`px-1.5 py-3 font-semibold sm:px-5 ${columnClass(kind === own)}`}>
              {kind === own && <span className="mb-0.5 block font-medium text-accent sm:text-xs">Yours</span>}
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {featureAvailability.map(({ feature, note, in: availability }) => (
          <tr key={feature} className="border-b border-line last:border-b-0">
            <th scope="row" className="py-3 pl-3 font-medium sm:px-5">
              {feature}
              {note && <span className="mt-0.5 block font-normal sm:text-xs text-muted">{note}</span>}
            </th>
            {deploymentKinds.map(({ kind }) => (
              <td key={kind} className={`px-1.5 py-3 sm:px-5 ${columnClass(kind === own)}`}>
                <AvailabilityMark value={availability[kind]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

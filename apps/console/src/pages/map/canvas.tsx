import { ActionIcon, Group, Paper } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Scene } from './painter.ts'
import { type Drawing, useDrawing } from './use-drawing.ts'
import { usePointers } from './use-pointers.ts'
import { moved, wholeView } from './view.ts'

interface Props {
  label: string
  /** The id of what says which keys there are. */
  describedBy: string
  scene: Scene
  chosen: number | undefined
  onChoose: (point: number | undefined) => void
  onOpen: (point: number) => void
  /** What stands over it. */
  children: ReactNode
}

const stepPx = 60
const zoomStep = 1.5

/** What each key does. */
const keys: Readonly<Record<string, (drawing: Drawing) => void>> = {
  ArrowLeft: ({ change }) => change((view) => moved(view, stepPx, 0)),
  ArrowRight: ({ change }) => change((view) => moved(view, -stepPx, 0)),
  ArrowUp: ({ change }) => change((view) => moved(view, 0, stepPx)),
  ArrowDown: ({ change }) => change((view) => moved(view, 0, -stepPx)),
  '+': ({ zoomBy }) => zoomBy(zoomStep),
  '=': ({ zoomBy }) => zoomBy(zoomStep),
  '-': ({ zoomBy }) => zoomBy(1 / zoomStep),
  '0': ({ change }) => change((_, size) => wholeView(size)),
}

/** The map itself. What is nearest to its middle is what the keys choose. */
export function MapCanvas({ label, describedBy, scene, chosen, onChoose, onOpen, children }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawing = useDrawing(canvas, scene, chosen)
  const pointers = usePointers(canvas, drawing, { chosen, onChoose, onOpen })
  const keyed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const act = keys[event.key]
    if (act !== undefined) {
      act(drawing)
      onChoose(drawing.middlePoint())
    } else if (event.key === 'Enter' && chosen !== undefined) onOpen(chosen)
    else return
    event.preventDefault()
  }
  return (
    <Paper withBorder pos="relative" style={{ overflow: 'hidden' }}>
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it is used by keys and pointer, which is what this role says */}
      <canvas
        ref={canvas}
        className="map"
        tabIndex={0}
        role="application"
        aria-label={label}
        aria-describedby={describedBy}
        onKeyDown={keyed}
        {...pointers}
      />
      <Zoom drawing={drawing} />
      {children}
    </Paper>
  )
}

function Zoom({ drawing: { change, zoomBy } }: { drawing: Drawing }) {
  const { t } = useTranslation()
  return (
    <Group gap={4} pos="absolute" top={8} right={8}>
      <ActionIcon variant="default" aria-label={t('map.larger')} onClick={() => zoomBy(zoomStep)}>
        +
      </ActionIcon>
      <ActionIcon variant="default" aria-label={t('map.smaller')} onClick={() => zoomBy(1 / zoomStep)}>
        −
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={t('map.whole')}
        onClick={() => change((_, size) => wholeView(size))}
      >
        ⤢
      </ActionIcon>
    </Group>
  )
}

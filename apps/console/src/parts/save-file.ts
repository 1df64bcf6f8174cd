/** A file that the reader keeps, written piece by piece. */
export interface FileSink {
  write(text: string): Promise<void>
  /** The file is whole. */
  close(): Promise<void>
  /** Nothing is kept. */
  drop(): Promise<void>
}

interface Saving {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>
}

/** What a browser that writes no files keeps in memory of one. */
export const keptBytesMax = 512 * 1024 * 1024

/** More than a browser that writes no files can keep. */
export class TooLargeToKeep extends Error {}

/** Hands over what is there already. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser takes its own hold of the contents once the click is dealt with.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/**
 * A file of that name: written to where the reader says, where the browser can (which needs a click just before); else
 * kept in memory and handed over when it is whole. @throws AbortError where the reader chooses no place
 */
export async function openSink(name: string, type: string): Promise<FileSink> {
  const { showSaveFilePicker } = window as Saving
  if (showSaveFilePicker === undefined) return keeping(name, type)
  const handle = await showSaveFilePicker.call(window, { suggestedName: name })
  const stream = await handle.createWritable()
  return {
    write: (text) => stream.write(text),
    close: () => stream.close(),
    drop: () => stream.abort(),
  }
}

function keeping(name: string, type: string): FileSink {
  // Blobs of pieces, which browsers move out of memory as they like, rather than strings of two bytes a character.
  let pieces: Blob[] = []
  let bytes = 0
  return {
    write: async (text) => {
      const piece = new Blob([text])
      bytes += piece.size
      if (bytes > keptBytesMax) throw new TooLargeToKeep()
      pieces.push(piece)
    },
    close: async () => saveBlob(new Blob(pieces, { type }), name),
    drop: async () => {
      pieces = []
    },
  }
}

import { useEffect, useRef, useState } from 'preact/hooks';
import { lookForAnswer } from './ask.ts';

/** A canvas is not made larger. */
const MOST_PX = 1600;

/** The kinds of images that the board shows. */
export const isImage = (path: string): boolean => /\.(?:png|jpe?g|gif|webp)$/i.test(path);

/** An image before and after a change. */
export function Images(props: {
  /** The address of the task. */
  readonly api: string;
  readonly before: ImageFile | undefined;
  readonly after: ImageFile | undefined;
}) {
  const { api, before, after } = props;
  return (
    <div class="images">
      {before === undefined ? null : <Picture name="Before" api={api} {...before} />}
      {after === undefined ? null : <Picture name="After" api={api} {...after} />}
    </div>
  );
}

interface ImageFile {
  /** The commit. */
  readonly at: string;
  readonly path: string;
}

/** Draws an image. A canvas takes pixels only: whatever else the file holds is never part of the page. */
function Picture(props: ImageFile & { readonly name: string; readonly api: string }) {
  const { name, api, at, path } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [said, setSaid] = useState('');
  const address = `${api}/image?at=${at}&path=${encodeURIComponent(path)}`;
  useEffect(() => {
    let isWanted = true;
    draw(address, () => (isWanted ? canvas.current : null)).then(
      (size) => isWanted && setSaid(size),
      (error: unknown) => isWanted && setSaid(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [address]);
  return (
    <figure>
      <canvas ref={canvas} width={0} height={0} role="img" aria-label={`${path} ${name.toLowerCase()}`} />
      <figcaption class="soft small">
        {name}
        {said === '' ? '' : `: ${said}`}
      </figcaption>
    </figure>
  );
}

/** Its size, in words. */
async function draw(address: string, find: () => HTMLCanvasElement | null): Promise<string> {
  const image = await createImageBitmap(await (await lookForAnswer(address)).blob());
  const { width, height } = image;
  const scale = Math.min(1, MOST_PX / Math.max(width, height));
  const canvas = find();
  if (canvas !== null) {
    [canvas.width, canvas.height] = [Math.ceil(width * scale), Math.ceil(height * scale)];
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  }
  image.close();
  return `${width} × ${height}`;
}

/** The columns of `Recorded`, which every journaled row has. */
export const RECORDED = `sequence bigint NOT NULL DEFAULT '0',
     creation_date timestamptz NOT NULL DEFAULT now(),
     change_date timestamptz NOT NULL DEFAULT now()`;

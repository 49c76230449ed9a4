import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from './project.entity.js';

/** A protected resource of a project, which clients name in their requests (RFC 8707). */
@Entity('project_resource')
@Index(['projectId'])
export class ProjectResource {
  /** As two spellings are compared; unique over the instance, since it becomes an audience. */
  @PrimaryColumn({ type: 'text' })
  key!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => Project, { onDelete: 'CASCADE' })
  projectId!: string;

  /** As it was registered, and as it stands in tokens. */
  @Column({ type: 'text' })
  uri!: string;
}

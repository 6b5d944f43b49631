package dev.joblock.scheduling;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * Finds calls of a guarded method through {@code this}, which no proxy sees, in the class files of its bean.
 *
 * <p>Sees {@code m()}, {@code this.m(x, 1)}, {@code this::m} and the same in lambdas, where the arguments are variables or
 * constants. Where they are expressions, or the class file can't be read, it sees nothing. Stateless.
 */
final class SelfCalls {

    private static final Logger LOG = LoggerFactory.getLogger(TaskGuard.class);

    private SelfCalls() {}

    /**
     * Looks through the class and its parents.
     *
     * @throws IllegalStateException with a sentence if there is such a call
     */
    static void refuse(String id, Method guarded, Class<?> target) {
        List<String> owners = new ArrayList<>();
        for (Class<?> type = target; type != null && type != Object.class; type = type.getSuperclass()) {
            owners.add(Type.getInternalName(type));
        }
        for (Class<?> type = target; type != null && type != Object.class; type = type.getSuperclass()) {
            String caller = caller(type, guarded, owners);
            if (caller != null) {
                throw new IllegalStateException("'" + id + "' is to be guarded and is called through this in '"
                        + type.getSimpleName() + "." + caller
                        + "', where no proxy sees it, so that it would run unguarded; call it from another bean, or move what"
                        + " is called here to a method without a lock");
            }
        }
    }

    private static @Nullable String caller(Class<?> type, Method guarded, List<String> owners) {
        try (InputStream in = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
            if (in == null) {
                return null;
            }
            Finder finder = new Finder(guarded, owners);
            new ClassReader(in).accept(finder, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            return finder.caller;
        } catch (IOException | RuntimeException e) {
            LOG.debug("The class file of {} can't be searched for calls through this", type, e);
            return null;
        }
    }

    private static final class Finder extends ClassVisitor {
        private final Method guarded;
        private final String descriptor;
        private final List<String> owners;
        private @Nullable String caller;

        Finder(Method guarded, List<String> owners) {
            super(SpringAsmInfo.ASM_VERSION);
            this.guarded = guarded;
            this.descriptor = Type.getMethodDescriptor(guarded);
            this.owners = owners;
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access,
                String name,
                String methodDescriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
            boolean bridge = (access & Opcodes.ACC_BRIDGE) != 0;
            return isStatic || bridge ? null : new Calls(name);
        }

        private boolean isGuarded(String owner, String name, String otherDescriptor) {
            return owners.contains(owner) && guarded.getName().equals(name) && descriptor.equals(otherDescriptor);
        }

        private final class Calls extends MethodVisitor {
            private final String name;
            /** Since the last instruction that is more than a push: true for each push of this. */
            private final List<Boolean> pushed = new ArrayList<>();

            Calls(String name) {
                super(SpringAsmInfo.ASM_VERSION);
                this.name = name;
            }

            private void push(boolean isThis) {
                pushed.add(isThis);
            }

            private void found() {
                // The body of a lambda has a name that the compiler made up from that of its method.
                String[] parts = name.split("\\$", -1);
                caller = parts.length > 2 && parts[0].equals("lambda") ? parts[1] : name;
            }

            @Override
            public void visitVarInsn(int opcode, int variable) {
                if (opcode >= Opcodes.ILOAD && opcode <= Opcodes.ALOAD) {
                    push(opcode == Opcodes.ALOAD && variable == 0);
                } else {
                    pushed.clear();
                }
            }

            @Override
            public void visitInsn(int opcode) {
                if (opcode >= Opcodes.ACONST_NULL && opcode <= Opcodes.DCONST_1) {
                    push(false);
                } else {
                    pushed.clear();
                }
            }

            @Override
            public void visitIntInsn(int opcode, int operand) {
                if (opcode == Opcodes.BIPUSH || opcode == Opcodes.SIPUSH) {
                    push(false);
                } else {
                    pushed.clear();
                }
            }

            @Override
            public void visitLdcInsn(Object value) {
                push(false);
            }

            @Override
            public void visitFieldInsn(int opcode, String owner, String field, String fieldDescriptor) {
                if (opcode == Opcodes.GETSTATIC) {
                    push(false);
                } else if (opcode == Opcodes.GETFIELD && !pushed.isEmpty()) {
                    pushed.set(pushed.size() - 1, false);
                } else {
                    pushed.clear();
                }
            }

            @Override
            public void visitTypeInsn(int opcode, String type) {
                pushed.clear();
            }

            @Override
            public void visitMethodInsn(
                    int opcode, String owner, String method, String methodDescriptor, boolean isInterface) {
                int receiver = pushed.size() - 1 - Type.getArgumentTypes(methodDescriptor).length;
                if (opcode != Opcodes.INVOKESTATIC
                        && receiver >= 0
                        && pushed.get(receiver)
                        && !(name.equals(guarded.getName()) && opcode == Opcodes.INVOKESPECIAL)
                        && isGuarded(owner, method, methodDescriptor)) {
                    found();
                }
                pushed.clear();
            }

            @Override
            public void visitInvokeDynamicInsn(
                    String method, String methodDescriptor, Handle bootstrap, Object... arguments) {
                boolean ofThis = !pushed.isEmpty() && pushed.get(pushed.size() - 1);
                for (Object argument : arguments) {
                    if (ofThis
                            && argument instanceof Handle
                            && isGuarded(
                                    ((Handle) argument).getOwner(),
                                    ((Handle) argument).getName(),
                                    ((Handle) argument).getDesc())) {
                        found();
                    }
                }
                pushed.clear();
            }

            @Override
            public void visitJumpInsn(int opcode, Label label) {
                pushed.clear();
            }
        }
    }
}

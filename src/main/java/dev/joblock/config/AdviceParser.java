package dev.joblock.config;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.TypedStringValue;
import org.springframework.beans.factory.parsing.BeanComponentDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.ManagedProperties;
import org.springframework.beans.factory.xml.BeanDefinitionParser;
import org.springframework.beans.factory.xml.ParserContext;
import org.springframework.util.xml.DomUtils;
import org.w3c.dom.Element;

/** Parses {@code <joblock:advice id="…"/>} to a bean for {@code advice-ref}. Stateless. */
final class AdviceParser implements BeanDefinitionParser {

    private static final String ADVICE = "dev.joblock.scheduling.JobLockAdvice";

    @Override
    public @Nullable BeanDefinition parse(Element element, ParserContext context) {
        BeanDefinitionBuilder advice = BeanDefinitionBuilder.genericBeanDefinition(ADVICE);
        advice.getRawBeanDefinition().setSource(context.extractSource(element));
        advice.getRawBeanDefinition().setAutowireCandidate(false);
        ManagedProperties methods = new ManagedProperties();
        for (Element method : DomUtils.getChildElementsByTagName(element, "method")) {
            methods.put(
                    new TypedStringValue(method.getAttribute("name")),
                    new TypedStringValue(method.getAttribute("job")));
        }
        if (!methods.isEmpty()) {
            advice.addPropertyValue("methods", methods);
        }
        context.registerBeanComponent(
                new BeanComponentDefinition(advice.getBeanDefinition(), element.getAttribute("id")));
        return null;
    }
}
